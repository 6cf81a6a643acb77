/** Reads and replaces the booking settings of a workspace. They are complete even before the first change. */
import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { listTemplates } from '../../../messaging/templates/operations/read-templates.ts'
import { findPageToken, savePageToken } from '../queries/pages.ts'
import { findSettings, lockSetup, upsertSettings } from '../queries/setup.ts'
import { BookingSettings } from '../setup-schema.ts'

export const readSettings = async (ctx: Context): Promise<BookingSettings> =>
  BookingSettings.parse((await findSettings(ctx)) ?? {})

/** Returns the settings with the address of the page on which customers book. */
export async function presentSettings(ctx: Context, settings: BookingSettings) {
  const token = settings.publicPage ? await findPageToken(ctx) : null
  return { ...settings, url: token && `${ctx.siteUrl}/book/${token}` }
}

/** Replaces the address of that page with a new one. */
export async function renewPageLink(ctx: Context): Promise<BookingSettings> {
  await lockSetup(ctx)
  await savePageToken(ctx, newLinkToken())
  touch(ctx, { bookingSetup: ctx.workspace.id })
  return readSettings(ctx)
}

export async function replaceSettings(ctx: Context, settings: BookingSettings): Promise<BookingSettings> {
  await lockSetup(ctx)
  const ids = settings.reminders.map(({ templateId }) => templateId.toLowerCase())
  const { rows } = await listTemplates(ctx, { ids, limit: ids.length })
  const existingIds = new Set(rows.map(({ id }) => id))
  const unknown = ids.findIndex((id) => !existingIds.has(id))
  if (unknown >= 0)
    refuseReference(`reminders[${unknown}].templateId`, 'Template not found. See GET /templates.')
  await upsertSettings(ctx, settings)
  if (settings.publicPage && (await findPageToken(ctx)) === null) await savePageToken(ctx, newLinkToken())
  touch(ctx, { bookingSetup: ctx.workspace.id })
  return settings
}
