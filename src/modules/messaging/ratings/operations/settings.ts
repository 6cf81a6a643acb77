import type { Context } from '../../../../core/context.ts'
import { requireTemplate } from '../../messages/sending/operations/ask-customer.ts'
import { findRatingSettings, upsertRatingSettings } from '../queries.ts'
import { RatingSettings } from '../schema.ts'

export const readRatingSettings = async (ctx: Context): Promise<RatingSettings> =>
  (await findRatingSettings(ctx)) ?? RatingSettings.parse({})

/** Replaces the settings. Refuses an unknown template. */
export async function replaceRatingSettings(ctx: Context, settings: RatingSettings): Promise<RatingSettings> {
  if (settings.templateId !== null) await requireTemplate(ctx, settings.templateId)
  await upsertRatingSettings(ctx, settings)
  return settings
}
