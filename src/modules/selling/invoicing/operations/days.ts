import { DAY_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { dayOf } from '../../../../core/values/calendar.ts'

/** Returns the current day in the workspace's zone. */
export const todayOf = (ctx: Context): string => dayOf(ctx.now, ctx.workspace.timezone)

/** Returns the day `days` days after another day. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
