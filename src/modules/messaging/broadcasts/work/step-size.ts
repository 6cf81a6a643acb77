/** Calculates how many people a step of a campaign has, from the duration of earlier steps. */
import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'

/**
 * The intended duration of a step. Other work waits for its locks, and a short step costs hardly more for
 * each person.
 */
const AIM_MS = 35
/** A longer step is slow. */
const SLOW_MS = 75
/** Steps have at least this many people, unless several in a row are slow. */
const LEAST = 250
/** A single stall makes the concurrent steps slow, and is over before the next. */
const SLOW_STEPS = 3
/** After slow steps in a row, for as long as fewer people make a step shorter. */
const SMALLEST = 50
const MAX = 1_000
/** Grows fast enough that a machine that was briefly busy soon gets full steps again. */
const GROW_BY = 1.25
/** A step of at most half as many people helps if it takes at most this part of the time. */
const HELPS_FROM = 0.7
/** If fewer people did not help, this many steps do not try it again. */
const STEPS_BEFORE_RETRY = 20
/**
 * The first step compiles code, opens connections, and plans statements, so it takes as long as 500 people do
 * later.
 */
const FIRST_STEP = 50
/** After this time, unused connections are closed. */
const RESTED_MS = MINUTE_MS

type Step = { people: number; ms: number }

const fittingSize = ({ people, ms }: Step, least: number): number => {
  const fitting = people * Math.min(GROW_BY, AIM_MS / Math.max(1, ms))
  return Math.round(Math.min(MAX, Math.max(least, fitting)))
}

/** Creates the step sizes of a process: small at first, and again after a rest. */
export function stepSizes({ monotonicMs }: Pick<Clock, 'monotonicMs'>) {
  let people = FIRST_STEP
  let isWarm = false
  let walkedMs = Number.NEGATIVE_INFINITY
  let slowSteps = 0
  /** The slow step because of which steps may have fewer than `LEAST` people. */
  let slowStep: Step | undefined
  let stepsBeforeRetry = 0

  const grow = (): void => {
    people = Math.min(LEAST, Math.round(people * GROW_BY))
    isWarm = people === LEAST
  }
  return {
    /** Returns the size of the next step on a stretch. */
    ofWalk(): number {
      if (monotonicMs() - walkedMs > RESTED_MS) {
        people = FIRST_STEP
        isWarm = false
        slowSteps = 0
        slowStep = undefined
      }
      walkedMs = monotonicMs()
      return people
    },
    /** Returns the size of a step of the campaign's own work. */
    ofOwn: (): number => people,
    /** Notes the duration of a walk over that many people, which may be fewer than `ofWalk` returned. */
    noteWalk(step: Step): void {
      if (!isWarm) {
        grow()
        return
      }
      stepsBeforeRetry = Math.max(0, stepsBeforeRetry - 1)
      const isSlow = step.ms > SLOW_MS
      const hadFewer = slowStep !== undefined && step.people <= slowStep.people / 2
      if (hadFewer && isSlow && step.ms > slowStep!.ms * HELPS_FROM) {
        // The cause is not the number of people, and small steps take more time in all.
        people = LEAST
        slowStep = undefined
        slowSteps = 0
        stepsBeforeRetry = STEPS_BEFORE_RETRY
        return
      }
      slowSteps = isSlow ? slowSteps + 1 : 0
      if (slowSteps >= SLOW_STEPS && stepsBeforeRetry === 0) slowStep ??= step
      // The duration of a step that was kept smaller does not show how long a full step takes.
      if (step.people < people && !isSlow) return
      people = fittingSize(step, slowStep ? SMALLEST : LEAST)
      if (people >= LEAST) slowStep = undefined
    },
    /**
     * Grows up to `LEAST` only: such work warms up the process, but its duration does not predict that of a
     * walk.
     */
    noteOwn(): void {
      if (!isWarm) grow()
    },
  }
}
