import { type Clock, systemClock } from '../../../core/clock.ts'
import { createPostbox } from '../../../operator/simulator/webhook-queue.ts'
import type { SimulatorLog } from '../handler.ts'
import { createMemoryStore } from '../memory-store.ts'
import { startSocialSimulator } from '../start.ts'
import { type NetworkEvent, type SimulatedAccount, webhookBody } from '../store.ts'
import type { SimulatorState } from './control.ts'
import { controlHandler, isControl } from './control-handler.ts'
import { isFetchable } from './fetch-media.ts'
import { changedSettings, defaultSettings, type SettingsPatch } from './settings.ts'

/** A standalone simulated photo network: its address, and its parts for code in the same process. */
export type StandaloneSocialSimulator = SimulatorState & { url: string; close(): Promise<void> }

const afterTimeout = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Starts the simulated photo network on its own address, with its memory, webhooks, and control calls
 * (docs/simulator.md). Port 0 takes a free port. `appSecret` signs the webhooks.
 */
export async function startStandaloneSocialSimulator(options: {
  port: number
  host: string
  account: SimulatedAccount
  appSecret: string
  settings?: SettingsPatch
  clock?: Clock
  random?: () => number
  log?: SimulatorLog
}): Promise<StandaloneSocialSimulator> {
  const { port, host, account, appSecret, clock = systemClock, random, log } = options
  const first = changedSettings(defaultSettings, options.settings ?? {})
  const settings = { current: first, first }
  const postbox = createPostbox({
    address: () => settings.current.callbackUrl,
    appSecret,
    clock,
    after: afterTimeout,
    disorder: () => ({ ...settings.current.webhooks, drop: [] }),
    bodyOf: reportsBody,
    ...(random ? { random } : {}),
    ...(log ? { log: (message: string) => log(message, undefined) } : {}),
  })
  const store = createMemoryStore({
    accounts: [account],
    clock,
    // Posted after the call is answered, as the network does.
    report: async ({ networkId }, event) => {
      const field = 'messaging' in event ? MESSAGING : event.field
      const value = 'messaging' in event ? event.messaging : event.value
      void postbox.put({ accountId: networkId, field, value })
    },
  })
  const state: SimulatorState = { store, settings, posted: postbox.counts, release: postbox.release }
  const started = await startSocialSimulator({
    store,
    port,
    host,
    ...(log ? { log } : {}),
    canFetch: async (address) => !settings.current.fetchMedia || isFetchable(address),
    extraHandler: { handles: isControl, control: controlHandler(state) },
  })
  return {
    ...state,
    url: started.url,
    close: async () => {
      postbox.close()
      await started.close()
    },
  }
}

/** Marks messages in the postbox; no field of the network has this name. */
const MESSAGING = 'messaging'

type QueuedReport = { accountId: string; field: string; value: unknown }

const eventOf = ({ field, value }: QueuedReport): NetworkEvent =>
  field === MESSAGING
    ? { messaging: value as Record<string, unknown> }
    : { field, value: value as Record<string, unknown> }

/** Returns one body with an entry for each report. */
const reportsBody = (carried: QueuedReport[], time: Date): unknown => ({
  object: 'instagram',
  entry: carried.flatMap((event) => webhookBody({ networkId: event.accountId }, eventOf(event), time).entry),
})
