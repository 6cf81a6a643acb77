import { type Context, wake } from '../../../../core/context.ts'
import { insertPlannedRating } from '../queries/planned-ratings.ts'

/** The name of the background work that asks for ratings (src/modules/messaging/ratings). */
export const RATINGS = 'ratings'

/**
 * Plans to ask the customer of a resolved chat for a rating, once, if a person resolved it. Chats that a rule
 * or the platform resolved are never asked about.
 */
export async function planRating(ctx: Context, conversationId: string): Promise<void> {
  if (ctx.actor.kind === 'platform') return
  const planned = await insertPlannedRating(ctx, conversationId)
  if (planned) wake(ctx, RATINGS)
}
