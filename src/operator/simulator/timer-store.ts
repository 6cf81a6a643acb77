import { type Dispatcher, request } from 'undici'
import { type Clock, later, MINUTE_MS, SECOND_MS, systemClock } from '../../core/clock.ts'
import { asciiJson, signWebhook } from '../webhook-signature.ts'
import { memoryObjects } from './memory-objects.ts'
import { type SimulatedNumber, type SimulatorStore, soundNumber } from './store.ts'
import { webhookBody } from './webhook-values.ts'

/** Runs `run` after `ms` milliseconds; the answer calls it off. */
export type After = (ms: number, run: () => void) => () => void

/** A store in memory, for a simulator that stands alone. */
export type TimerStore = SimulatorStore & {
  /** Posts one webhook `value` of the number now, such as one of `inboundValue`. */
  deliver(number: SimulatedNumber, value: unknown, field?: string): Promise<void>
  /** Calls off what is scheduled. */
  close(): void
}

// The operator goes on for days; a stand-in for tests need not.
const retryDelaysMs = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS]

const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Keeps numbers and schedules in memory, and posts each report by itself, signed with `appSecret`, to `callbackUrl`.
 * A receiver that does not answer 2xx within 10 s is tried again after 1 s, 5 s, 30 s, 2 and 10 minutes; `log` is
 * told of what was given up. A crash loses everything.
 */
export function createTimerStore(options: {
  numbers: SimulatedNumber[]
  callbackUrl: string
  appSecret: string
  clock?: Clock
  after?: After
  dispatcher?: Dispatcher
  log?: (message: string) => void
}): TimerStore {
  const { callbackUrl, appSecret, clock = systemClock, after = afterTimeout, dispatcher, log } = options
  const numbers = new Map(options.numbers.map((number) => [number.operatorId, number]))
  const pending = new Set<() => void>()
  let closed = false

  function schedule(ms: number, run: () => Promise<void>): void {
    if (closed) return
    const cancel = after(ms, () => {
      pending.delete(cancel)
      run().catch((error) => log?.(`a report could not be made: ${error}`))
    })
    pending.add(cancel)
  }

  async function post(body: string, failures: number): Promise<void> {
    const failure = await postOnce(body)
    if (failure === undefined) return
    const wait = retryDelaysMs[failures]
    if (wait === undefined) log?.(`a webhook was given up: ${failure}`)
    else schedule(wait, () => post(body, failures + 1))
  }

  async function postOnce(body: string): Promise<string | undefined> {
    try {
      const answer = await request(callbackUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signWebhook(body, appSecret) },
        body,
        headersTimeout: 10 * SECOND_MS,
        bodyTimeout: 10 * SECOND_MS,
        dispatcher,
      })
      await answer.body.dump()
      return answer.statusCode >= 200 && answer.statusCode < 300 ? undefined : `answered ${answer.statusCode}`
    } catch (error) {
      return String(error)
    }
  }

  const deliver = (number: SimulatedNumber, value: unknown, field?: string) =>
    post(asciiJson(webhookBody(number.accountId, value, field)), 0)

  return {
    findNumber: async (operatorId) => numbers.get(operatorId),
    listNumbers: async (accountId) => options.numbers.filter((number) => number.accountId === accountId),
    findNumberByToken: async (token) => options.numbers.find((number) => number.token === token),
    async setNumberState(number, patch) {
      number.state = { ...soundNumber, ...number.state, ...patch }
    },
    now: async () => clock.now(),
    async schedule(number, reports) {
      const now = clock.now()
      for (const { afterMs, field, value } of reports)
        schedule(afterMs, () => deliver(number, value(later(now, afterMs)), field))
    },
    ...memoryObjects(clock),
    deliver,
    close() {
      closed = true
      for (const cancel of pending) cancel()
      pending.clear()
    },
  }
}
