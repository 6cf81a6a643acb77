import { type Clock, SECOND_MS } from '../clock.ts'

/** An answer that takes longer counts as slow. */
const SLOW_MS = 25
/** Answers are slow when more than 1 in 50 is slow: a single slow answer belongs to the 99th percentile and is normal. */
const SLOW_ONE_IN = 50
/** The fewest answers that allow a conclusion. */
const ENOUGH = 20
const SPAN_MS = SECOND_MS

/** How long this process currently takes to answer, so that work that can wait gives way to requests. */
export type AnswerTimes = {
  note(ms: number): void
  /** Whether more than a few requests arrive. */
  areFrequent(): boolean
  areSlow(): boolean
}

/** Counts the answers of the last one to two seconds. It keeps no data about single answers. */
export function answerTimes(clock: Pick<Clock, 'monotonicMs'>): AnswerTimes {
  let previous = { total: 0, slow: 0 }
  let current = { total: 0, slow: 0 }
  let startedMs = clock.monotonicMs()
  const rotate = (): void => {
    const elapsedMs = clock.monotonicMs() - startedMs
    if (elapsedMs < SPAN_MS) return
    previous = elapsedMs < 2 * SPAN_MS ? current : { total: 0, slow: 0 }
    current = { total: 0, slow: 0 }
    startedMs += elapsedMs
  }
  const areFrequent = (): boolean => {
    rotate()
    return previous.total + current.total >= ENOUGH
  }
  return {
    note: (ms) => {
      rotate()
      current.total++
      if (ms > SLOW_MS) current.slow++
    },
    areFrequent,
    areSlow: () =>
      areFrequent() && (previous.slow + current.slow) * SLOW_ONE_IN > previous.total + current.total,
  }
}
