/** The report of response times (DECISIONS.md). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { allowLongReads, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { readHours } from '../../../platform/business-hours/operations.ts'
import { idBounds, localTimes, type Period } from '../period.ts'
import { listWaits } from '../queries/messages.ts'
import { ANSWER_DAYS, MAX_TALK, type ResponseTimeReport } from '../schema.ts'
import { type Duration, durationMeter, spreadOf } from '../spread.ts'
import { nameMembers } from './member-rows.ts'
import { byTeams, nameTeams } from './team-rows.ts'

type Answer = Duration & { date: string; memberId: string | null; teamId: string | null; isFirst: boolean }

const spreadsOf = (answers: readonly Answer[] = []) => ({
  first: spreadOf(answers.filter(({ isFirst }) => isFirst)),
  answers: spreadOf(answers),
})

/** Returns the response times of the period, by day, by member, and by team. Refuses `rate_limited`. */
export async function readResponseTimes(
  ctx: Context,
  { from, to, dates, start, end }: Period,
): Promise<z.input<typeof ResponseTimeReport>> {
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const answerMs = ANSWER_DAYS * DAY_MS
  // A wait that began before the period, or was answered after it, is read whole.
  const [readFrom, readTo] = [later(start, -answerMs), later(end, answerMs)]
  const waits = await listWaits(ctx, {
    ...idBounds(ctx, readFrom, readTo),
    start,
    end,
    max: MAX_TALK,
    quietMs: answerMs,
  })
  const measure = durationMeter(await readHours(ctx), readFrom, readTo)
  const localTimeOf = localTimes(start, end, ctx.workspace.timezone)
  const answers = waits.flatMap(({ since, answeredAt, sentBy, teamId, isFirst }): Answer[] =>
    answeredAt === null || answeredAt.getTime() - since.getTime() > answerMs
      ? []
      : [
          {
            ...measure(since, answeredAt),
            date: localTimeOf(since.getTime()).date,
            memberId: sentBy,
            teamId,
            isFirst,
          },
        ],
  )
  const byDate = Map.groupBy(answers, ({ date }) => date)
  const nameOf = await nameMembers(ctx)
  return {
    from,
    to,
    timezone: ctx.workspace.timezone,
    waits: waits.length,
    unanswered: waits.length - answers.length,
    ...spreadsOf(answers),
    byDay: dates.map((date) => ({ date, ...spreadsOf(byDate.get(date)) })),
    byMember: [...Map.groupBy(answers, ({ memberId }) => memberId)]
      .map(([memberId, ofMember]) => ({ ...nameOf(memberId), ...spreadsOf(ofMember) }))
      .sort((a, b) => b.answers.count - a.answers.count),
    byTeam: byTeams(await nameTeams(ctx, answers), answers)
      .map(([team, ofTeam]) => ({ ...team, ...spreadsOf(ofTeam) }))
      .sort((a, b) => b.answers.count - a.answers.count),
    countedSince: waits[0]?.countedSince?.toISOString() ?? null,
  }
}
