/**
 * Replaces `{{now.date}}` and `{{now.monthDay}}` in conditions with today's date in the workspace's time
 * zone.
 */

import type { Context, Workspace } from '../../../../core/context.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import type { Conditions } from '../action-schema.ts'

type Condition = Conditions['conditions'][number]

/** Returns the conditions with today's date filled in, so that a birthday is an ordinary filter. */
export function fillToday(
  ctx: Pick<Context, 'now'> & { workspace: Pick<Workspace, 'timezone'> },
  { match, conditions }: Conditions,
): Conditions {
  const date = dayOf(ctx.now, ctx.workspace.timezone)
  const monthDay = date.slice('2026-'.length)
  const fillDates = (value: Condition['value']): Condition['value'] =>
    typeof value === 'string'
      ? value.replaceAll('{{now.date}}', date).replaceAll('{{now.monthDay}}', monthDay)
      : value
  return {
    match,
    conditions: conditions.map((condition) => ({ ...condition, value: fillDates(condition.value) })),
  }
}
