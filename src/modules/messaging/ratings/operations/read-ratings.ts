import type { Context } from '../../../../core/context.ts'
import { dayOf, daysBefore, startOfDay } from '../../../../core/values/calendar.ts'
import { countScores, listScoresOf } from '../queries.ts'

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

/** Returns the newest ratings of chats. */
export const listRatingsOf = async (ctx: Context, conversationIds: string[], max: number) =>
  conversationIds.length === 0
    ? []
    : (await listScoresOf(ctx, conversationIds, max)).flatMap(({ conversationId, score, ratedAt }) =>
        score === null || ratedAt === null ? [] : [{ conversationId, score, ratedAt: ratedAt.toISOString() }],
      )
