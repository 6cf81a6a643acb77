import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import { requireTemplate } from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { reviewSettings } from '../queries/settings.ts'
import { ReviewSettings } from '../schema.ts'

/** Returns the settings, with defaults if none are stored. */
export const readSettings = async (ctx: Context): Promise<ReviewSettings> =>
  ReviewSettings.parse((await reviewSettings.find(ctx)) ?? {})

/** Replaces the settings. Refuses an unknown template or member. */
export async function replaceSettings(ctx: Context, settings: ReviewSettings): Promise<ReviewSettings> {
  if (settings.templateId !== null) await requireTemplate(ctx, settings.templateId)
  if (settings.alertMemberId !== null) await requireMember(ctx, settings.alertMemberId)
  await reviewSettings.upsert(ctx, settings)
  return settings
}

async function requireMember(ctx: Context, id: string): Promise<void> {
  const member = await findMember(ctx, id.toLowerCase())
  if (!member || member.leftAt) refuseReference('alertMemberId', 'Member not found. See GET /team.')
}
