/** What conditions say of the day on which they are asked: `{{now.date}}` and `{{now.monthDay}}`, by the workspace's clocks. */
import { dayOf } from '../../../core/calendar.ts'
import type { Context } from '../../../core/context.ts'
import type { Conditions } from '../schema.ts'

type Condition = Conditions['conditions'][number]

/** The conditions with today in the place of those words, so that a birthday is a filter like any other. */
export function asOfToday(ctx: Context, { match, conditions }: Conditions): Conditions {
  const date = dayOf(ctx.now, ctx.workspace.timezone)
  const monthDay = date.slice('2026-'.length)
  const meant = (value: Condition['value']): Condition['value'] =>
    typeof value === 'string'
      ? value.replaceAll('{{now.date}}', date).replaceAll('{{now.monthDay}}', monthDay)
      : value
  return { match, conditions: conditions.map((one) => ({ ...one, value: meant(one.value) })) }
}
