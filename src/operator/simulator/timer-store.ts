import type { Dispatcher } from 'undici'
import { type Clock, later, systemClock } from '../../core/clock.ts'
import { memoryObjects } from './memory-objects.ts'
import { hasToken, numberInGoodHealth, type SimulatedNumber, type SimulatorStore } from './store.ts'
import { type After, createPostbox, type Disorder, type Postbox } from './webhook-queue.ts'

export type { After } from './webhook-queue.ts'

/** An in-memory store for a standalone simulator. */
export type TimerStore = SimulatorStore & {
  /** Its numbers; more may be added at any time. */
  numbers: SimulatedNumber[]
  /** Posts one webhook `value` of the number now, such as a result of `inboundValue`. */
  deliver(number: SimulatedNumber, value: unknown, field?: string): Promise<void>
  postbox: Postbox
  /** Cancels scheduled reports. */
  close(): void
}

const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Creates a store that keeps numbers and schedules in memory and posts each report separately to
 * `callbackUrl`, signed with `appSecret`, unless `disorder` says otherwise. A crash loses everything.
 */
export function createTimerStore(options: {
  numbers: SimulatedNumber[]
  callbackUrl: string | (() => string | null)
  appSecret: string
  clock?: Clock
  after?: After
  dispatcher?: Dispatcher
  disorder?: () => Disorder
  random?: () => number
  log?: (message: string) => void
}): TimerStore {
  const { callbackUrl, clock = systemClock, after = afterTimeout, log } = options
  const numbers = options.numbers.map((number) => ({ onboardedAt: clock.now(), ...number }))
  const postbox = createPostbox({
    ...options,
    clock,
    after,
    address: typeof callbackUrl === 'string' ? () => callbackUrl : callbackUrl,
  })
  const pending = new Set<() => void>()
  let closed = false

  function schedule(ms: number, run: () => Promise<void>): void {
    if (closed) return
    const cancel = after(ms, () => {
      pending.delete(cancel)
      run().catch((error) => log?.(`simulator: creating a report failed: ${error}`))
    })
    pending.add(cancel)
  }

  const deliver = (number: SimulatedNumber, value: unknown, field = 'messages') =>
    postbox.put({ accountId: number.accountId, field, value })

  return {
    numbers,
    postbox,
    findNumber: async (operatorId) => numbers.find((number) => number.operatorId === operatorId),
    listNumbers: async (accountId) => numbers.filter((number) => number.accountId === accountId),
    findNumberByToken: async (token) => numbers.find((number) => hasToken(number, token)),
    async setNumberState(number, patch) {
      number.state = { ...numberInGoodHealth, ...number.state, ...patch }
    },
    now: async () => clock.now(),
    async schedule(number, reports) {
      const now = clock.now()
      for (const { afterMs, field, value } of reports)
        schedule(afterMs, async () => deliver(number, value(later(now, afterMs)), field))
    },
    ...memoryObjects(clock),
    deliver,
    close() {
      closed = true
      postbox.close()
      for (const cancel of pending) cancel()
      pending.clear()
    },
  }
}
