import { setImmediate as endOfTurn } from 'node:timers/promises'
import { Refusal } from './errors.ts'

/**
 * Gathers calls that arrive together into one list (ARCHITECTURE.md "The path of one request"). A call
 * waits for nothing but the turn of the event loop, and for a place among the batches in flight.
 */
export type BatchOptions = {
  /** Most calls of one list. */
  max: number
  /** Lists in flight at once. */
  inFlight: number
  /**
   * While a batch is in flight, the next one is started when its fair share of all calls that are here waits for it, but no
   * fewer than `least` and no more than `enough`, or after so many milliseconds: each list costs a transaction, however short
   * it is.
   */
  least: number
  enough: number
  gatherMs: number
  /** Calls that may wait; one more is refused, so that memory stays bounded. */
  maxWaiting: number
  /**
   * Whether the items of a failed list may be run again one by one. No when its outcome is unknown:
   * a commit whose answer was lost may have happened.
   */
  mayRunAgain(error: unknown): boolean
  /** One call for each list that has ended: its calls, how long they waited for it to begin, added up, and how long it took. */
  onBatch?: ((calls: number, waitedMs: number, tookMs: number) => void) | undefined
}

export const HOT_BATCH = { max: 256, inFlight: 2, least: 4, enough: 32, gatherMs: 2, maxWaiting: 20_000 }

type Waiting<Item, Answer> = {
  item: Item
  sinceMs: number
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Turns `run`, which answers a batch in order, into a function of one item. When a batch fails as a
 * whole, its items are run one by one, so that one item's fault never touches its neighbours.
 */
export function batched<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  options: BatchOptions,
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  let running = 0
  /** Calls of the batches in flight. */
  let underWay = 0
  let scheduled = false
  let gathering: NodeJS.Timeout | undefined

  /** Runs a list; what it returns hands the answers out. */
  const outcomeOf = async (list: Waiting<Item, Answer>[]): Promise<() => void> => {
    try {
      const answers = await run(list.map((one) => one.item))
      return () => {
        for (const [i, one] of list.entries()) one.resolve(answers[i] as Answer)
      }
    } catch (error) {
      if (list.length > 1 && options.mayRunAgain(error)) {
        for (const one of list) (await outcomeOf([one]))()
        return () => {}
      }
      return () => {
        for (const one of list) one.reject(error)
      }
    }
  }

  // One batch that took all would leave nothing to gather: the service would rest while the database works, and the other way round.
  const fairShare = (): number =>
    Math.max(options.least, Math.ceil((waiting.length + underWay) / options.inFlight))

  const mayBegin = (): boolean =>
    waiting.length > 0 &&
    running < options.inFlight &&
    (running === 0 || waiting.length >= Math.min(options.enough, fairShare()))

  const runList = async (list: Waiting<Item, Answer>[]): Promise<void> => {
    const begunMs = performance.now()
    const waitedMs = list.reduce((sum, one) => sum + begunMs - one.sinceMs, 0)
    running++
    underWay += list.length
    const handOut = await outcomeOf(list)
    running--
    options.onBatch?.(list.length, waitedMs, performance.now() - begunMs)
    // What waits goes to the database before these answers are written: it would rest meanwhile.
    if (mayBegin()) {
      begin()
      await endOfTurn()
    }
    underWay -= list.length
    handOut()
    schedule()
  }

  const begin = (): void => {
    clearTimeout(gathering)
    gathering = undefined
    void runList(waiting.splice(0, Math.min(options.max, fairShare())))
  }

  const beginWhatGathered = (): void => {
    gathering = undefined
    if (running < options.inFlight) begin()
    schedule()
  }

  const beginIfDue = (): void => {
    scheduled = false
    if (mayBegin()) begin()
    schedule()
  }

  const schedule = (): void => {
    if (scheduled || waiting.length === 0 || running >= options.inFlight) return
    if (mayBegin()) {
      scheduled = true
      setImmediate(beginIfDue)
    } else gathering ??= setTimeout(beginWhatGathered, options.gatherMs)
  }

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) {
        reject(
          new Refusal('service_unavailable', 'Too many requests are waiting. Try again in 1 second.', {
            retryAfterSeconds: 1,
          }),
        )
        return
      }
      waiting.push({ item, sinceMs: performance.now(), resolve, reject })
      schedule()
    })
}
