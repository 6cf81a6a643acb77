import type { Context } from '../../../../../core/context.ts'
import { saveRatingSettings } from '../../../conversations/operations/ratings.ts'
import type { RatingSettings } from '../../../conversations/rating-schema.ts'
import { requireTemplate } from '../../sending/operations/ask-customer.ts'

/** Replaces the settings. Refuses an unknown template. */
export async function replaceRatingSettings(ctx: Context, settings: RatingSettings): Promise<RatingSettings> {
  if (settings.templateId !== null) await requireTemplate(ctx, settings.templateId)
  await saveRatingSettings(ctx, settings)
  return settings
}
