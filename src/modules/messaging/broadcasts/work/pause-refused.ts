import { HOUR_MS, later, realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import type { OperatorError } from '../../../../operator/port.ts'
import { findBroadcastRowForUpdate, paused, updateBroadcastRow } from '../queries/broadcasts.ts'
import { notifyMaker } from './notify-creator.ts'

/** The time until a missing permission is tried again. Each attempt may cost a message. */
const TRY_AGAIN_MS = HOUR_MS

/**
 * Pauses a campaign whose messages the operator rejects, and notifies its creator. A missing permission is
 * tried again automatically; a rejected template is not.
 */
export async function pauseRefused(ctx: Context, id: string, error: OperatorError): Promise<void> {
  const row = await findBroadcastRowForUpdate(ctx, id)
  if (!row?.sending) return
  const reason = `The operator rejected the campaign's messages: ${error.message} (${error.code}).`
  const lookAgainAt = error.category === 'auth' ? later(realTime(ctx.now, ctx.workspace), TRY_AGAIN_MS) : null
  await updateBroadcastRow(ctx, id, { ...paused({ why: reason, lookAgainAt }), updatedAt: ctx.now })
  await notifyMaker(ctx, row, 'paused', reason)
  touch(ctx, { broadcast: id })
}
