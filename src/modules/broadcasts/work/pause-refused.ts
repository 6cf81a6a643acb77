import { HOUR_MS, later, realTime } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import type { OperatorError } from '../../../operator/port.ts'
import { findBroadcastRowForUpdate, paused, updateBroadcastRow } from '../queries/broadcasts.ts'
import { notifyMaker } from './notify-maker.ts'

/** How soon it is tried whether a permission has been given: each try may cost a message. */
const TRY_AGAIN_MS = HOUR_MS

/**
 * Pauses a campaign whose messages the operator refuses, and says so to who made it. What lacks a permission is tried again by
 * itself; what it refuses for what they say, it always will.
 */
export async function pauseRefused(ctx: Context, id: string, error: OperatorError): Promise<void> {
  const row = await findBroadcastRowForUpdate(ctx, id)
  if (!row?.sending) return
  const why = `The operator rejected the campaign's messages: ${error.message} (${error.code}).`
  const lookAgainAt = error.category === 'auth' ? later(realTime(ctx.now, ctx.workspace), TRY_AGAIN_MS) : null
  await updateBroadcastRow(ctx, id, { ...paused({ why, lookAgainAt }), updatedAt: ctx.now })
  await notifyMaker(ctx, row, 'paused', why)
  touch(ctx, { broadcast: id })
}
