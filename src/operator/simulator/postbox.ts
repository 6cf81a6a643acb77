import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { shuffled } from '../../core/shuffled.ts'
import { isObject, objectsIn } from '../../core/storable.ts'
import { asciiJson } from '../webhook-signature.ts'
import { updateSender } from './update-sender.ts'
import { type Change, webhookBody } from './webhook-values.ts'

/** Runs `run` after `ms` milliseconds; the answer calls it off. */
export type After = (ms: number, run: () => void) => () => void

/** How webhooks come about when they do not come one by one, in order, once. */
export type Disorder = {
  /** Those of the same moment come in any order. */
  shuffle: boolean
  /** The share that comes twice, 0 to 1. */
  duplicate: number
  /** At most so many updates in one POST. */
  batch: number
  /** How long updates are gathered to be shuffled or batched, in milliseconds. */
  gatherMs: number
  /** Statuses that never come, such as `delivered`. */
  drop: string[]
  /** Nothing comes until this ends. */
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

/** What leaves for the app's callback. */
export type Postbox = {
  /** Sends an update off. Resolves when it was posted once, or put aside to come with others. */
  put(change: Change): Promise<void>
  /** Sends what was put aside. */
  release(): void
  /** How many POSTs were answered 2xx, how many were given up, and what is on its way to either. */
  counts(): { posted: number; givenUp: number; waiting: number }
  close(): void
}

/** What waits at once; beyond, an update is lost, as with an operator that nobody answers for days. */
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
  /** What a POST with these updates says; the operator's own shape unless another network posts. */
  bodyOf?: (changes: Change[], at: Date) => unknown
}

/** What runs later, until it is closed. */
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
 * Posts updates, signed with the app's secret, as ASCII JSON (docs/formats.md section 16). A receiver that does not answer
 * 2xx within 10 s is tried again after 1 s, 5 s, 30 s, 2 and 10 minutes; `log` is called with what was given up.
 */
export function createPostbox(options: PostboxOptions): Postbox {
  const { clock, after, log } = options
  const { disorder = () => inOrder, random = Math.random, bodyOf = webhookBody } = options
  const delayed = delayedRuns(after)
  const counts = { posted: 0, givenUp: 0 }
  let bag: Change[] = []
  let gathering = false
  let closed = false

  function giveUp(why: string): void {
    counts.givenUp++
    log?.(`simulator: webhook not delivered: ${why}`)
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
    for (let at = 0; at < ready.length; at += batch) void postAll(ready.slice(at, at + batch))
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
  return isObject(value) && objectsIn(value.statuses).some((one) => one.status === status)
}
