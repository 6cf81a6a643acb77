/**
 * Checks whether the obstacle of an automatic pause is gone, and resumes the campaign (DECISIONS.md "Gates").
 */
import { HOUR_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { obstacleOf, prepareResume } from '../operations/control-broadcast.ts'
import type { BroadcastRow, Pause, updateBroadcastRow } from '../queries/broadcasts.ts'

/** The interval at which a campaign checks for its last submissions, or whether it can resume. */
export const LOOK_AGAIN_MS = MINUTE_MS
const MAX_LOOK_AGAIN_MS = HOUR_MS
/** The time between checks, as a part of the pause so far: a long pause is checked less often. */
const OF_ITS_AGE = 1 / 16

/** Returns the automatic pause for an obstacle. If the obstacle is permanent, it is never checked again. */
export const pauseFor = ({ why, gone }: { why: string; gone?: true }, realNow: Date): Pause => ({
  why,
  lookAgainAt: gone ? null : later(realNow, LOOK_AGAIN_MS),
})

/** Resumes the campaign, or plans the next check. The caller has locked its row. */
export async function resumeAutomatically(
  ctx: Context,
  row: BroadcastRow,
  realNow: Date,
): Promise<Parameters<typeof updateBroadcastRow>[2]> {
  const patch = await prepareResume(ctx, row)
  if (!(patch instanceof Refusal)) return patch
  const pausedMs = ctx.now.getTime() - row.updatedAt.getTime()
  const waitMs = Math.min(MAX_LOOK_AGAIN_MS, Math.max(LOOK_AGAIN_MS, pausedMs * OF_ITS_AGE))
  const isGone = (await obstacleOf(ctx, row))?.gone === true
  return {
    pausedReason: patch.message,
    runAt: isGone ? null : later(realNow, waitMs),
    // Keeps the time of the pause, from which its length is calculated.
    updatedAt: row.updatedAt,
  }
}
