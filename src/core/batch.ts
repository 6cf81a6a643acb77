import { setImmediate as endOfTurn } from 'node:timers/promises'
import { Refusal } from './errors.ts'

/**
 * Gathers calls that arrive together into one list (ARCHITECTURE.md "The path of one request"). A call waits only for the
 * current turn of the event loop to end and for a free place among the batches in flight.
 */
export type BatchOptions = {
  /** Maximum number of calls in one list. */
  max: number
  /** Maximum number of lists in flight. */
  inFlight: number
  /**
   * While a batch is in flight, the next one starts when its fair share of all present calls is waiting (at least `least`, at
   * most `enough`), or after `gatherMs` milliseconds. Each list costs a transaction, even a short list.
   */
  least: number
  enough: number
  gatherMs: number
  /**
   * With at most so many calls present, one list takes them all. Callers who were answered within `gatherMs` count as present,
   * because most of them call again.
   */
  few: number
  /** Maximum number of waiting calls. Further calls are refused, so that memory stays bounded. */
  maxWaiting: number
  /**
   * Whether the items of a failed list may run again one by one. False when its outcome is unknown: a commit whose answer was
   * lost may have happened.
   */
  mayRunAgain(error: unknown): boolean
  /** Called after each list: its number of calls, the sum of their waiting times, and the duration of the list. */
  onBatch?: ((calls: number, waitedMs: number, tookMs: number) => void) | undefined
}

export const HOT_BATCH = {
  max: 256,
  inFlight: 2,
  least: 4,
  enough: 32,
  gatherMs: 2,
  few: 24,
  maxWaiting: 20_000,
}

type Waiting<Item, Answer> = {
  item: Item
  sinceMs: number
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Turns `run`, which returns a batch's answers in order, into a function of one item. When a whole batch fails, its items run
 * one by one, so that the fault of one item never affects the others.
 */
export function batched<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  options: BatchOptions,
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  let running = 0
  /** Number of calls in the batches in flight. */
  let callsInFlight = 0
  /** Number of callers who were answered and may call again until `returningUntilMs`. */
  let returning = 0
  let returningUntilMs = 0
  let scheduled = false
  let gathering: NodeJS.Timeout | undefined

  /** Runs a list and returns a function that delivers its answers. */
  const outcomeOf = async (list: Waiting<Item, Answer>[]): Promise<() => void> => {
    try {
      const answers = await run(list.map((call) => call.item))
      return () => {
        for (const [i, call] of list.entries()) call.resolve(answers[i] as Answer)
      }
    } catch (error) {
      if (list.length > 1 && options.mayRunAgain(error)) {
        for (const call of list) (await outcomeOf([call]))()
        return () => {}
      }
      return () => {
        for (const call of list) call.reject(error)
      }
    }
  }

  const countReturning = (): number => (performance.now() < returningUntilMs ? returning : 0)
  const countPresent = (): number => waiting.length + callsInFlight + countReturning()

  // With many calls, a batch that took them all would leave none to gather: process and database would take turns instead of
  // working in parallel. With few calls, the cost of a second transaction is larger than the gain.
  const fairShare = (): number => {
    const present = countPresent()
    return present > options.few ? Math.max(options.least, Math.ceil(present / options.inFlight)) : present
  }

  const canBegin = (): boolean => {
    if (waiting.length === 0 || running >= options.inFlight) return false
    if (running === 0 && countPresent() > options.few) return true
    return waiting.length >= Math.min(options.enough, fairShare())
  }

  const runList = async (list: Waiting<Item, Answer>[]): Promise<void> => {
    const startedMs = performance.now()
    const waitedMs = list.reduce((sum, call) => sum + startedMs - call.sinceMs, 0)
    running++
    callsInFlight += list.length
    const deliverAnswers = await outcomeOf(list)
    running--
    options.onBatch?.(list.length, waitedMs, performance.now() - startedMs)
    // The next list goes to the database before these answers are written, so that the database is not idle meanwhile.
    if (canBegin()) {
      begin()
      await endOfTurn()
    }
    callsInFlight -= list.length
    returning = countReturning() + list.length
    returningUntilMs = performance.now() + options.gatherMs
    deliverAnswers()
    schedule()
  }

  const begin = (): void => {
    clearTimeout(gathering)
    gathering = undefined
    void runList(waiting.splice(0, Math.min(options.max, fairShare())))
  }

  const beginGathered = (): void => {
    gathering = undefined
    if (running < options.inFlight) begin()
    schedule()
  }

  const beginIfDue = (): void => {
    scheduled = false
    if (canBegin()) begin()
    schedule()
  }

  const schedule = (): void => {
    if (scheduled || waiting.length === 0 || running >= options.inFlight) return
    if (canBegin()) {
      scheduled = true
      setImmediate(beginIfDue)
    } else gathering ??= setTimeout(beginGathered, options.gatherMs)
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
      if (returning > 0) returning--
      waiting.push({ item, sinceMs: performance.now(), resolve, reject })
      schedule()
    })
}
