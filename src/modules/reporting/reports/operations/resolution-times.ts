/** The report of the times until chats were assigned and resolved (DECISIONS.md). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { allowLongReads, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { readHours } from '../../../platform/business-hours/operations.ts'
import { idBounds, localTimes, type Period } from '../period.ts'
import { listCaseChanges } from '../queries/changes.ts'
import { CASE_DAYS, MAX_CASES, type ResolutionReport } from '../schema.ts'
import { type Duration, durationMeter, spreadOf } from '../spread.ts'
import { memberOf, nameMembers } from './member-rows.ts'
import { byTeams, nameTeams } from './team-rows.ts'

type Step = Duration & {
  kind: 'assigned' | 'resolved'
  date: string
  memberId: string | null
  teamId: string | null
}

const spreadsOf = (steps: readonly Step[] = []) => ({
  queue: spreadOf(steps.filter(({ kind }) => kind === 'assigned')),
  resolution: spreadOf(steps.filter(({ kind }) => kind === 'resolved')),
})

/** Returns the queue and resolution times of the period, by day, by member, and by team. Refuses `rate_limited`. */
export async function readResolutionTimes(
  ctx: Context,
  { from, to, dates, start, end }: Period,
): Promise<z.input<typeof ResolutionReport>> {
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const lookBackMs = CASE_DAYS * DAY_MS
  const earliest = later(start, -lookBackMs)
  const bounds = {
    ...idBounds(ctx, start, end),
    oldestId: idBounds(ctx, earliest, end).firstId,
    start,
    end,
    max: MAX_CASES,
    lookBackMs,
  }
  const assigned = await listCaseChanges(ctx, { ...bounds, action: 'assigned' })
  const resolved = await listCaseChanges(ctx, { ...bounds, action: 'resolved' })
  const measure = durationMeter(await readHours(ctx), earliest, end)
  const localTimeOf = localTimes(start, end, ctx.workspace.timezone)
  const stepOf = (
    kind: Step['kind'],
    { at, beganAt, teamId }: { at: Date; beganAt: Date; teamId: string | null },
    memberId: string | null,
  ): Step => ({
    ...measure(beganAt, at),
    kind,
    date: localTimeOf(at.getTime()).date,
    memberId,
    teamId,
  })
  const steps = [
    ...assigned.map((change) => stepOf('assigned', change, change.value)),
    ...resolved.map((change) => stepOf('resolved', change, memberOf(change))),
  ]
  const byDate = Map.groupBy(steps, ({ date }) => date)
  const nameOf = await nameMembers(ctx)
  return {
    from,
    to,
    timezone: ctx.workspace.timezone,
    ...spreadsOf(steps),
    byDay: dates.map((date) => ({ date, ...spreadsOf(byDate.get(date)) })),
    byMember: [...Map.groupBy(steps, ({ memberId }) => memberId)]
      .map(([memberId, ofMember]) => ({ ...nameOf(memberId), ...spreadsOf(ofMember) }))
      .sort((a, b) => b.resolution.count - a.resolution.count || b.queue.count - a.queue.count),
    byTeam: byTeams(await nameTeams(ctx, steps), steps)
      .map(([team, ofTeam]) => ({ ...team, ...spreadsOf(ofTeam) }))
      .sort((a, b) => b.resolution.count - a.resolution.count || b.queue.count - a.queue.count),
    isPartial: [assigned, resolved].some(({ length }) => length >= MAX_CASES),
  }
}
