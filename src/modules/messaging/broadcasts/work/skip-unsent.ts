/** Skips the queued messages of a canceled campaign (DECISIONS.md "Gates"). */

import type { Context } from '../../../../core/context.ts'
import { dayOf, lastMidnight } from '../../../../core/values/calendar.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { skipCampaignMessages } from '../../messages/sending/operations/skip-messages.ts'
import { type BroadcastRow, lockNewRecipientRoom, raiseNewRecipientDay } from '../queries/broadcasts.ts'
import { forgetNewRecipients } from '../queries/recipients.ts'
import type { Stride } from './walk.ts'

/**
 * Skips up to `people` unsubmitted messages. Their people no longer count as new recipients of this campaign,
 * and their places in today's allowance are free again. The caller has locked the campaign's row.
 */
export async function skipUnsent(
  ctx: Context,
  row: BroadcastRow,
  { realNow, people }: Stride,
): Promise<'done' | 'more' | 'under_way'> {
  const { timezone } = ctx.workspace
  const day = dayOf(ctx.now, timezone)
  await holdOffErasures(ctx)
  await lockNewRecipientRoom(ctx, row.phoneNumberId, day)
  const { left, skipped } = await skipCampaignMessages(ctx, {
    broadcastId: row.id,
    realNow,
    limit: people,
    marketing: row.category === 'MARKETING',
  })
  const contactIds = skipped.map((recipient) => recipient.contactId)
  const today = await forgetNewRecipients(ctx, row.id, contactIds, lastMidnight(ctx.now, timezone))
  if (today > 0) await raiseNewRecipientDay(ctx, row.phoneNumberId, day, -today)
  return left
}
