/** The report of ratings by day and by member (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { allowLongReads, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { localTimes, type Period } from '../period.ts'
import { type AskedRating, listAskedRatings } from '../queries/changes.ts'
import { MAX_RATINGS, type SatisfactionReport } from '../schema.ts'
import { memberOf, nameMembers } from './member-rows.ts'

const SCORES = [1, 2, 3, 4, 5]

function figuresOf(requests: readonly Pick<AskedRating, 'score'>[] = []) {
  const scores = requests.flatMap(({ score }) => score ?? [])
  const points = scores.reduce((sum, score) => sum + score, 0)
  return {
    asked: requests.length,
    rated: scores.length,
    average: scores.length === 0 ? null : Math.round((points * 100) / scores.length) / 100,
  }
}

/** Returns the ratings of the chats that were asked about in the period. Refuses `rate_limited`. */
export async function readSatisfaction(
  ctx: Context,
  { from, to, dates, start, end }: Period,
): Promise<z.input<typeof SatisfactionReport>> {
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const requests = await listAskedRatings(ctx, { start, end, max: MAX_RATINGS })
  const localTimeOf = localTimes(start, end, ctx.workspace.timezone)
  const byDate = Map.groupBy(requests, ({ askedAt }) => localTimeOf(askedAt.getTime()).date)
  const nameOf = await nameMembers(ctx)
  return {
    from,
    to,
    timezone: ctx.workspace.timezone,
    ...figuresOf(requests),
    byScore: SCORES.map((score) => ({
      score,
      ratings: requests.filter((row) => row.score === score).length,
    })),
    byDay: dates.map((date) => ({ date, ...figuresOf(byDate.get(date)) })),
    byMember: [...Map.groupBy(requests, memberOf)]
      .map(([memberId, ofMember]) => ({ ...nameOf(memberId), ...figuresOf(ofMember) }))
      .sort((a, b) => b.rated - a.rated || b.asked - a.asked),
    isPartial: requests.length >= MAX_RATINGS,
  }
}
