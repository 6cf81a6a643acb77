/** A campaign that paused by itself looks now and then whether what stood in its way is gone (docs/decisions/campaign-gates.md). */
import { HOUR_MS, later, MINUTE_MS } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import { goOn, obstacleOf } from '../operations/steer-broadcast.ts'
import type { BroadcastRow, Pause, updateBroadcastRow } from '../queries/broadcasts.ts'

/** How often a campaign is looked after that waits: for its last hand-overs, or to go on. */
export const LOOK_AGAIN_MS = MINUTE_MS
const MAX_LOOK_AGAIN_MS = HOUR_MS
/** What has stood in the way for days is looked at less often. */
const OF_ITS_AGE = 1 / 16

/** How a campaign pauses for what stands in its way; for what is gone for good it never looks again. */
export const pauseFor = ({ why, gone }: { why: string; gone?: true }, realNow: Date): Pause => ({
  why,
  lookAgainAt: gone ? null : later(realNow, LOOK_AGAIN_MS),
})

/** Goes on where it was, or looks again later. Its row is locked by the caller. */
export async function goOnByItself(
  ctx: Context,
  row: BroadcastRow,
  realNow: Date,
): Promise<Parameters<typeof updateBroadcastRow>[2]> {
  const patch = await goOn(ctx, row)
  if (!(patch instanceof Refusal)) return patch
  const pausedMs = ctx.now.getTime() - row.updatedAt.getTime()
  const waitMs = Math.min(MAX_LOOK_AGAIN_MS, Math.max(LOOK_AGAIN_MS, pausedMs * OF_ITS_AGE))
  const isGone = (await obstacleOf(ctx, row))?.gone === true
  return {
    pausedReason: patch.message,
    runAt: isGone ? null : later(realNow, waitMs),
    // Only when it paused says for how long it has.
    updatedAt: row.updatedAt,
  }
}
