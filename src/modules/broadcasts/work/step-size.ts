/** So long a step is to take: its locks are somebody's wait, and a short one costs hardly more for each person. */
const AIM_MS = 35
/** Fewer would not be quicker: where even these take long, it is not for their number. */
const LEAST = 250
const MAX = 1_000
/** A machine that was busy for a moment is not taken for a slow one for long. */
const GROW_BY = 1.25

/** How many people the first step of a process comes to, before it knows the machine. */
export const FIRST_STEP = 500

/** How many the next step comes to, after one to `people` took `ms`: never more than a quarter more. */
export const nextStepSize = (people: number, ms: number): number =>
  Math.round(Math.min(MAX, Math.max(LEAST, people * Math.min(GROW_BY, AIM_MS / Math.max(1, ms)))))
