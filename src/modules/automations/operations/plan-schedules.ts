/** Runs that a time starts: one for each lead that fulfils the conditions. */
import { later, realTime } from '../../../core/clock.ts'
import { type Context, wake } from '../../../core/context.ts'
import { type DueMoment, runOffsetOf } from '../../../core/due.ts'
import { matchLeads } from '../../crm/operations/matching-leads.ts'
import { nextTime } from '../next-time.ts'
import { type AutomationRow, listAutomationsById } from '../queries/automations.ts'
import { insertRunsOfOccasions } from '../queries/runs.ts'
import { listDueSchedules, updateNextRun } from '../queries/states.ts'
import type { Conditions } from '../schema.ts'
import { AUTOMATIONS } from '../wakes.ts'
import { LEAD_PREFIX } from './judge.ts'
import { asOfToday } from './today.ts'

const MAX_LEADS = 1_000
const AT_ONCE = 20

/** When an automation that is saved or switched on is first looked at. */
export const firstTimes = (
  ctx: Context,
  { enabled, trigger }: Pick<AutomationRow, 'enabled' | 'trigger'>,
): { runAt: Date | null; runOffsetMs: number | null; lookedAt: Date | null } => {
  const runAt =
    enabled && 'schedule' in trigger
      ? realTime(nextTime(trigger.schedule, ctx.now, ctx.workspace.timezone), ctx.workspace)
      : null
  return {
    runAt,
    runOffsetMs: runAt && runOffsetOf(ctx.workspace),
    lookedAt: enabled && 'idle' in trigger ? ctx.now : null,
  }
}

/**
 * What can be asked of leads before their runs begin; the rest is asked of each run. Null: everything is, because one of
 * several conditions may hold that is none of a lead.
 */
function leadFilterOf({ match, conditions }: Conditions) {
  const ofLeads = conditions.filter(({ field }) => field.startsWith(LEAD_PREFIX))
  if (match === 'any' && ofLeads.length < conditions.length) return null
  return {
    match,
    conditions: ofLeads.map((one) => ({ ...one, field: one.field.slice(LEAD_PREFIX.length) })),
  }
}

/** Starts the runs of schedules that are due, and says when each comes next, in one transaction. How many were due. */
export async function startDueSchedules(ctx: Context, due: DueMoment): Promise<number> {
  const schedules = await listDueSchedules(ctx, due, AT_ONCE)
  if (schedules.length === 0) return 0
  const automations = await listAutomationsById(
    ctx,
    schedules.map(({ automationId }) => automationId),
  )
  for (const { automationId, runAt, runOffsetMs } of schedules) {
    const automation = automations.get(automationId)
    if (!automation || !('schedule' in automation.trigger)) continue
    const leads = automation.enabled
      ? await matchLeads(ctx, leadFilterOf(asOfToday(ctx, automation.conditions)), MAX_LEADS)
      : []
    const made = await insertRunsOfOccasions(
      ctx,
      automationId,
      leads.map(({ id, contactId }) => ({
        // Its moment by the workspace's clock: a sandbox meets the same real one again.
        occasion: `${later(runAt, runOffsetMs ?? 0).toISOString()} ${id}`,
        contactId,
        leadId: id,
        conversationId: null,
      })),
      realTime(ctx.now, ctx.workspace),
    )
    if (made > 0) wake(ctx, AUTOMATIONS)
    // What was missed while nobody was there runs once.
    const next = nextTime(automation.trigger.schedule, ctx.now, ctx.workspace.timezone)
    await updateNextRun(ctx, automationId, realTime(next, ctx.workspace), runOffsetOf(ctx.workspace))
  }
  return schedules.length
}
