/** Calculates how many people a step of a campaign has, from the duration of earlier steps. */
import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'

/**
 * The intended duration of a step. Other work waits for its locks, and a short step costs hardly more for
 * each person.
 */
const AIM_MS = 35
/** A smaller step would not be faster: if even this step is slow, the cause is not the number of people. */
const LEAST = 250
const MAX = 1_000
/** Grows fast enough that a machine that was briefly busy soon gets full steps again. */
const GROW_BY = 1.25
/**
 * The first step compiles code, opens connections, and plans statements, so it takes as long as 500 people do
 * later.
 */
const FIRST_STEP = 50
/** After this time, unused connections are closed. */
const RESTED_MS = MINUTE_MS

/**
 * Returns the size of the next step, after `people` took `ms`. It grows by at most a quarter, and always
 * grows below `LEAST`.
 */
export const nextStepSize = (people: number, ms: number): number =>
  Math.round(
    Math.min(MAX, people * GROW_BY, Math.max(LEAST, people * Math.min(GROW_BY, AIM_MS / Math.max(1, ms)))),
  )

/** Creates the step sizes of a process: small at first, and again after a rest. */
export function stepSizes({ monotonicMs }: Pick<Clock, 'monotonicMs'>) {
  let people = FIRST_STEP
  let walkedMs = Number.NEGATIVE_INFINITY
  return {
    /** Returns the size of the next step on a stretch. */
    ofWalk(): number {
      if (monotonicMs() - walkedMs > RESTED_MS) people = FIRST_STEP
      walkedMs = monotonicMs()
      return people
    },
    /** Returns the size of a step of the campaign's own work. */
    ofOwn: (): number => people,
    noteWalk(ms: number): void {
      people = nextStepSize(people, ms)
    },
    /**
     * Grows up to `LEAST` only: such work warms up the process, but its duration does not predict that of a
     * walk.
     */
    noteOwn(): void {
      if (people < LEAST) people = Math.min(LEAST, nextStepSize(people, AIM_MS))
    },
  }
}
