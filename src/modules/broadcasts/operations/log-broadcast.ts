/** What the activity log tells of a campaign (spec 4.4; docs/decisions/activity-log.md). */
import type { Context } from '../../../core/context.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'

type Campaign = { id: string; name: string }

/** Somebody started, paused, resumed or cancelled the campaign. */
export const logSteering = (
  ctx: Context,
  what: 'started' | 'paused' | 'resumed' | 'cancelled',
  { id, name }: Campaign,
): Promise<void> => recordActivity(ctx, `broadcast.${what}`, { broadcastId: id, name })

/** Somebody gave their word that the recipients who never messaged the business agreed; nothing where there are none. */
export async function logConfirmation(
  ctx: Context,
  { id, name }: Campaign,
  { confirmed, newRecipients }: { confirmed: boolean; newRecipients: number },
): Promise<void> {
  if (confirmed && newRecipients > 0)
    await recordActivity(ctx, 'broadcast.new_recipients_confirmed', { broadcastId: id, name, newRecipients })
}
