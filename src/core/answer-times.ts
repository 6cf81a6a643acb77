import { type Clock, SECOND_MS } from './clock.ts'

/** An answer that took longer is a slow one. */
const SLOW_MS = 25
/** One slow answer in so many is the 99th percentile's business, and not the rule. */
const SLOW_ONE_IN = 50
/** Fewer answers say nothing. */
const ENOUGH = 20
const SPAN_MS = SECOND_MS

/** How long this process's answers take just now, so that work which can wait gives way to them. */
export type AnswerTimes = {
  note(ms: number): void
  /** Whether requests come in at all, more than a few. */
  areFrequent(): boolean
  areSlow(): boolean
}

/** Counts the answers of the last one to two seconds; nothing is kept of each. */
export function answerTimes(clock: Pick<Clock, 'monotonicMs'>): AnswerTimes {
  let before = { all: 0, slow: 0 }
  let now = { all: 0, slow: 0 }
  let begunMs = clock.monotonicMs()
  const turn = (): void => {
    const elapsedMs = clock.monotonicMs() - begunMs
    if (elapsedMs < SPAN_MS) return
    before = elapsedMs < 2 * SPAN_MS ? now : { all: 0, slow: 0 }
    now = { all: 0, slow: 0 }
    begunMs += elapsedMs
  }
  const areFrequent = (): boolean => {
    turn()
    return before.all + now.all >= ENOUGH
  }
  return {
    note: (ms) => {
      turn()
      now.all++
      if (ms > SLOW_MS) now.slow++
    },
    areFrequent,
    areSlow: () => areFrequent() && (before.slow + now.slow) * SLOW_ONE_IN > before.all + now.all,
  }
}
