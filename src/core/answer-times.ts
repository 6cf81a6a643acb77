import { type Clock, SECOND_MS } from './clock.ts'

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
