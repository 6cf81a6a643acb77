/** Customers' ratings of chats that a person resolved (src/modules/selling/reviews/DECISIONS.md). */

import { HOUR_MS, later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import { type Context, type Unit, wake } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import { dayOf, daysBefore, startOfDay } from '../../../../core/values/calendar.ts'
import {
  countScores,
  findRatingSettings,
  insertDueRating,
  type RatingAnswer,
  storeScores,
  upsertRatingSettings,
} from '../queries/ratings.ts'
import { RatingSettings } from '../rating-schema.ts'

export {
  type DueRating,
  deleteDueRatings,
  dueRatings,
  listDueRatings,
  markAsked,
  type RatingAnswer,
} from '../queries/ratings.ts'

/** The name of the background work that asks for ratings. */
export const RATINGS = 'ratings'

/** Customers' answers count for 72 hours after the question. */
const ANSWER_MS = 72 * HOUR_MS

export const readRatingSettings = async (ctx: Context): Promise<RatingSettings> =>
  (await findRatingSettings(ctx)) ?? RatingSettings.parse({})

export const saveRatingSettings = upsertRatingSettings

/**
 * Plans to ask the customer of a resolved chat for a rating, once, if a person resolved it. Chats that a rule
 * or the platform resolved are never asked about.
 */
export async function planRating(ctx: Context, conversationId: string): Promise<void> {
  if (ctx.actor.kind === 'platform') return
  const settings = await findRatingSettings(ctx)
  if (!settings?.enabled) return
  const time = later(ctx.now, settings.delayMinutes * MINUTE_MS)
  await insertDueRating(ctx, {
    conversationId,
    runAt: realTime(time, ctx.workspace),
    runOffsetMs: runOffsetOf(ctx.workspace),
  })
  wake(ctx, RATINGS)
}

/** Records customers' ratings. Returns the ratings that counted, each chat once. */
export const storeRatings = (unit: Unit, answers: RatingAnswer[]) => storeScores(unit, answers, ANSWER_MS)

const SCORES = [1, 2, 3, 4, 5]

/** Returns the ratings of chats that were asked about in the last days. */
export async function readRatings(ctx: Context, days: number) {
  const { timezone } = ctx.workspace
  const from = daysBefore(dayOf(ctx.now, timezone), days - 1)
  const counts = await countScores(ctx, startOfDay(from, timezone)!)
  const of = new Map(counts.map(({ score, count }) => [score, count]))
  const byScore = SCORES.map((score) => ({ score, ratings: of.get(score) ?? 0 }))
  const rated = byScore.reduce((sum, { ratings }) => sum + ratings, 0)
  const points = byScore.reduce((sum, { score, ratings }) => sum + score * ratings, 0)
  return {
    days,
    asked: rated + (of.get(null) ?? 0),
    rated,
    average: rated === 0 ? null : Math.round((points * 100) / rated) / 100,
    byScore,
  }
}
