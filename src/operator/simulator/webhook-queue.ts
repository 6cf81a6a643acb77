import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { shuffled } from '../../core/values/shuffled.ts'
import { isObject, objectsIn } from '../../core/values/storable.ts'
import { asciiJson } from '../webhook-signature.ts'
import { updateSender } from './update-sender.ts'
import { type Change, webhookBody } from './webhook-values.ts'

/** Runs `run` after `ms` milliseconds; returns a function that cancels it. */
export type After = (ms: number, run: () => void) => () => void

/** Deviations of webhooks from the normal case: one at a time, in order, exactly once. */
export type Disorder = {
  /** Updates of the same moment arrive in any order. */
  shuffle: boolean
  /** The share of updates that arrive twice, 0 to 1. */
  duplicate: number
  /** The maximum number of updates in one POST. */
  batch: number
  /** The milliseconds for which updates are collected before they are shuffled or batched. */
  gatherMs: number
  /** Statuses that never arrive, such as `delivered`. */
  drop: string[]
  /** No updates are sent while this is true. */
  hold: boolean
}

export const inOrder: Disorder = {
  shuffle: false,
  duplicate: 0,
  batch: 1,
  gatherMs: 100,
  drop: [],
  hold: false,
}

/** The outgoing webhooks to the app's callback. */
export type Postbox = {
  /** Sends an update. Resolves after its first POST, or when it is queued for a batch. */
  put(change: Change): Promise<void>
  /** Sends the queued updates. */
  release(): void
  /** Returns how many POSTs were answered 2xx, how many were given up, and how many are pending. */
  counts(): { posted: number; givenUp: number; waiting: number }
  close(): void
}

/**
 * The maximum number of waiting updates; beyond it updates are lost, as at the operator after days without an
 * answer.
 */
const maxWaiting = 100_000

export type PostboxOptions = {
  /** Without an address updates are lost. */
  address: () => string | null
  appSecret: string
  clock: Clock
  after: After
  dispatcher?: Dispatcher
  log?: (message: string) => void
  disorder?: () => Disorder
  random?: () => number
  /** Returns the body of a POST with these updates; the operator's format unless another network posts. */
  bodyOf?: (changes: Change[], time: Date) => unknown
}

/** Runs functions later, until it is closed. */
function delayedRuns(after: After) {
  const cancels = new Set<() => void>()
  let closed = false
  return {
    count: () => cancels.size,
    run: (ms: number, run: () => void): void => {
      if (closed) return
      const cancel = after(ms, () => {
        cancels.delete(cancel)
        run()
      })
      cancels.add(cancel)
    },
    close: (): void => {
      closed = true
      for (const cancel of cancels) cancel()
      cancels.clear()
    },
  }
}

/**
 * Posts updates as ASCII JSON, signed with the app's secret (docs/formats.md section 16). Retries after 1 s,
 * 5 s, 30 s, 2, and 10 minutes if the receiver does not answer 2xx within 10 s; passes updates that were
 * given up to `log`.
 */
export function createPostbox(options: PostboxOptions): Postbox {
  const { clock, after, log } = options
  const { disorder = () => inOrder, random = Math.random, bodyOf = webhookBody } = options
  const delayed = delayedRuns(after)
  const counts = { posted: 0, givenUp: 0 }
  let bag: Change[] = []
  let gathering = false
  let closed = false

  function giveUp(reason: string): void {
    counts.givenUp++
    log?.(`simulator: webhook not delivered: ${reason}`)
  }

  const sender = updateSender({
    address: options.address,
    appSecret: options.appSecret,
    dispatcher: options.dispatcher,
    later: delayed.run,
    isFull: () => delayed.count() > maxWaiting,
    onPosted: () => counts.posted++,
    onGivenUp: giveUp,
  })

  const postAll = (changes: Change[]) => sender.send(asciiJson(bodyOf(changes, clock.now())))

  function flush(): void {
    gathering = false
    const { shuffle, batch, hold } = disorder()
    if (hold) return
    const ready = shuffle ? shuffled(bag, random) : bag
    bag = []
    for (let start = 0; start < ready.length; start += batch) void postAll(ready.slice(start, start + batch))
  }

  return {
    async put(change) {
      const { shuffle, duplicate, batch, gatherMs, drop, hold } = disorder()
      if (closed || drop.some((status) => hasStatus(change, status))) return
      const copies = random() < duplicate ? [change, change] : [change]
      if (!shuffle && batch === 1 && !hold) {
        await Promise.all(copies.map((copy) => postAll([copy])))
        return
      }
      if (bag.length >= maxWaiting) return giveUp('too many wait')
      bag.push(...copies)
      if (!gathering && !hold) {
        gathering = true
        delayed.run(gatherMs, flush)
      }
    },
    release: flush,
    counts: () => ({ ...counts, waiting: bag.length + delayed.count() + sender.underWay() }),
    close() {
      closed = true
      delayed.close()
      bag = []
    },
  }
}

function hasStatus({ value }: Change, status: string): boolean {
  return isObject(value) && objectsIn(value.statuses).some((entry) => entry.status === status)
}
