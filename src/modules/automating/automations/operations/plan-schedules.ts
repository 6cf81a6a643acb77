/** Starts runs of schedules: one for each lead that matches the conditions. */
import { later, realTime } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { type DueMoment, runOffsetOf } from '../../../../core/due.ts'
import { matchLeads } from '../../../selling/crm/operations/matching-leads.ts'
import type { Conditions } from '../action-schema.ts'
import { nextTime } from '../next-time.ts'
import { type AutomationRow, listAutomationsById } from '../queries/automations.ts'
import { insertRunsOfOccasions } from '../queries/runs.ts'
import { listDueSchedules, updateNextRun } from '../queries/states.ts'
import { AUTOMATIONS } from '../wakes.ts'
import { LEAD_PREFIX } from './evaluate-conditions.ts'
import { fillToday } from './fill-dates.ts'

const MAX_LEADS = 1_000
const AT_ONCE = 20

/** Returns the first times of an automation that is saved or turned on. */
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
 * Returns the conditions that can filter leads before their runs start; each run checks the rest. Returns
 * null if one condition is enough and another subject's condition may match.
 */
function leadFilterOf({ match, conditions }: Conditions) {
  const ofLeads = conditions.filter(({ field }) => field.startsWith(LEAD_PREFIX))
  if (match === 'any' && ofLeads.length < conditions.length) return null
  return {
    match,
    conditions: ofLeads.map((condition) => ({
      ...condition,
      field: condition.field.slice(LEAD_PREFIX.length),
    })),
  }
}

/**
 * Starts the runs of due schedules and sets their next times, in one transaction. Returns how many schedules
 * were due.
 */
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
      ? await matchLeads(ctx, leadFilterOf(fillToday(ctx, automation.conditions)), MAX_LEADS)
      : []
    const created = await insertRunsOfOccasions(
      ctx,
      automationId,
      leads.map(({ id, contactId }) => ({
        // The moment in the workspace's time, because a sandbox with a moved clock can reach the same real
        // moment again.
        occasion: `${later(runAt, runOffsetMs ?? 0).toISOString()} ${id}`,
        contactId,
        leadId: id,
        conversationId: null,
      })),
      realTime(ctx.now, ctx.workspace),
    )
    if (created > 0) wake(ctx, AUTOMATIONS)
    // Times missed while no worker ran are caught up with one run.
    const next = nextTime(automation.trigger.schedule, ctx.now, ctx.workspace.timezone)
    await updateNextRun(ctx, automationId, realTime(next, ctx.workspace), runOffsetOf(ctx.workspace))
  }
  return schedules.length
}
