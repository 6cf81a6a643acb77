/** How many people a step along a campaign's audience comes to, by how long the ones before it took. */
import { type Clock, MINUTE_MS } from '../../../core/clock.ts'

/** So long a step is to take: its locks are somebody's wait, and a short one costs hardly more for each person. */
const AIM_MS = 35
/** Fewer would not be quicker: where even these take long, it is not for their number. */
const LEAST = 250
const MAX = 1_000
/** A machine that was busy for a moment is not taken for a slow one for long. */
const GROW_BY = 1.25
/** Where code is not compiled, connections are not made and statements are not planned, these take what 500 take later. */
const FIRST_STEP = 50
/** Connections that nobody used so long are closed. */
const RESTED_MS = MINUTE_MS

/** How many the next step comes to, after one to `people` took `ms`: never more than a quarter more, and below `LEAST` always so. */
export const nextStepSize = (people: number, ms: number): number =>
  Math.round(
    Math.min(MAX, people * GROW_BY, Math.max(LEAST, people * Math.min(GROW_BY, AIM_MS / Math.max(1, ms)))),
  )

/** The size of a process's steps: small at first, and again after a rest. */
export function stepSizes({ monotonicMs }: Pick<Clock, 'monotonicMs'>) {
  let people = FIRST_STEP
  let walkedMs = Number.NEGATIVE_INFINITY
  return {
    /** For the next step along a stretch. */
    ofWalk(): number {
      if (monotonicMs() - walkedMs > RESTED_MS) people = FIRST_STEP
      walkedMs = monotonicMs()
      return people
    },
    /** For what a campaign does by itself. */
    ofOwn: (): number => people,
    noteWalk(ms: number): void {
      people = nextStepSize(people, ms)
    },
    /** How long it took says nothing of a walk, but it made the process ready. */
    noteOwn(): void {
      if (people < LEAST) people = Math.min(LEAST, nextStepSize(people, AIM_MS))
    },
  }
}
