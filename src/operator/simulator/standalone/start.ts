import { request } from 'undici'
import { type Clock, SECOND_MS, systemClock } from '../../../core/clock.ts'
import type { Director } from '../behavior.ts'
import { graphError } from '../graph-errors.ts'
import type { SimulatorLog } from '../handler.ts'
import { type Beside, startSimulator } from '../start.ts'
import type { SimulatedNumber } from '../store.ts'
import { type After, createTimerStore } from '../timer-store.ts'
import { changeSettings, type SimulatorState } from './control.ts'
import { controlHandler, isControl } from './control-handler.ts'
import { createCustomers } from './customers.ts'
import { createFaults } from './faults.ts'
import { createLimits } from './limits.ts'
import type { PayAtGateway } from './payment-actions.ts'
import { createDirector } from './set-behavior.ts'
import { changedSettings, defaultSettings, type SettingsPatch } from './settings.ts'
import { signupHandler } from './signup-handler.ts'
import { createTally } from './tally.ts'

/** The app of the hosted signup. */
export const DEFAULT_APP_ID = '670843887433847'
export const DEFAULT_CONFIG_ID = '890123456789012'

/** A standalone simulator: its address, and its parts for code in the same process. */
export type StandaloneSimulator = SimulatorState & {
  url: string
  /** Changes settings, like the control call. */
  set(patch: SettingsPatch): void
  close(): Promise<void>
}

/**
 * Starts the simulated operator on its own address, with its memory, webhooks, and control calls
 * (docs/simulator.md). Port 0 takes a free port. `appSecret` signs the webhooks.
 */
export async function startStandaloneSimulator(options: {
  port: number
  host: string
  numbers: SimulatedNumber[]
  appSecret: string
  /** The app of the hosted signup, with `appSecret`. */
  app?: { id: string; configId: string }
  settings?: SettingsPatch
  clock?: Clock
  after?: After
  random?: () => number
  log?: SimulatorLog
  /** Other handlers at the same address, and the gateway that receives payments of orders in the chat. */
  beside?: Beside[]
  payAtGateway?: PayAtGateway
}): Promise<StandaloneSimulator> {
  const { port, host, appSecret, clock = systemClock, after, random, log } = options
  const first = changedSettings(defaultSettings, options.settings ?? {})
  const settings = { current: first, first }
  const store = createTimerStore({
    numbers: options.numbers,
    appSecret,
    clock,
    after,
    random,
    callbackUrl: () => settings.current.callbackUrl,
    disorder: () => settings.current.webhooks,
    log: (message) => log?.(message, undefined),
  })
  const state: SimulatorState = {
    clock,
    store,
    settings,
    faults: createFaults(),
    limits: createLimits(clock),
    tally: createTally(),
    customers: createCustomers(),
    payAtGateway: options.payAtGateway,
  }
  const director = createDirector({
    ...state,
    settings: () => settings.current,
    subscribe: subscriber(state),
  })
  const control = controlHandler(state)
  const { id, configId } = options.app ?? { id: DEFAULT_APP_ID, configId: DEFAULT_CONFIG_ID }
  const signup = signupHandler({
    ...state,
    app: { id, configId, secret: appSecret },
    throttleStatus: () => settings.current.throttleStatus,
    log,
  })
  const started = await startSimulator({
    store,
    director,
    port,
    host,
    log,
    otherHandlers: [{ handles: isControl, handle: control }, signup, ...(options.beside ?? [])],
  })
  return {
    ...state,
    url: started.url,
    set: (patch) => {
      changeSettings(state, patch)
    },
    close: async () => {
      store.close()
      signup.close()
      await started.close()
    },
  }
}

/** An address confirms the subscription by returning the challenge (docs/formats.md section 1). */
const subscriber =
  (state: SimulatorState): Director['subscribe'] =>
  async (address, verifyToken) => {
    if (address === undefined) return undefined
    const challenge = String(Math.floor(state.clock.now().getTime()))
    const url = typeof address === 'string' ? URL.parse(address) : null
    const token = typeof verifyToken === 'string' ? verifyToken : ''
    if (url === null || !/^https?:$/.test(url.protocol)) return graphError(100, 'Invalid callback URI format')
    const callbackUrl = url.href
    url.searchParams.set('hub.mode', 'subscribe')
    url.searchParams.set('hub.challenge', challenge)
    url.searchParams.set('hub.verify_token', token)
    if ((await bodyOf(url.href)) !== challenge)
      return graphError(
        2200,
        '(#2200) Callback verification failed: the callback did not return the challenge.',
      )
    changeSettings(state, { callbackUrl })
    return undefined
  }

async function bodyOf(url: string): Promise<string | undefined> {
  try {
    const answer = await request(url, { headersTimeout: 10 * SECOND_MS, bodyTimeout: 10 * SECOND_MS })
    const text = await answer.body.text()
    return answer.statusCode === 200 ? text : undefined
  } catch {
    return undefined
  }
}
