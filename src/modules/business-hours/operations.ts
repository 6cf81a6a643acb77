import type { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { touch } from '../../core/event.ts'
import { findHours, upsertHours } from './queries.ts'
import { type BusinessHours, minutesOf, type NewBusinessHours } from './schema.ts'

type Shown = z.input<typeof BusinessHours>

/** When the business is open, by the workspace's clocks where nobody has said. */
export async function readHours(ctx: Context): Promise<Shown> {
  const row = await findHours(ctx)
  if (!row) return { timeZone: ctx.workspace.timezone, weekly: [], overrides: [], updatedAt: null }
  return { ...row, updatedAt: row.updatedAt.toISOString() }
}

/** Replaces the hours: what is left out of them is closed. */
export async function replaceHours(ctx: Context, hours: NewBusinessHours): Promise<Shown> {
  await upsertHours(ctx, hours)
  touch(ctx, { businessHours: ctx.workspace.id })
  return { ...hours, updatedAt: ctx.now.toISOString() }
}

/** Whether the business is open now, by its own clocks: by the hours of the day, or by those of the weekday where the day has none. */
export async function isOpenNow(ctx: Context): Promise<boolean> {
  const { timeZone, weekly, overrides } = await readHours(ctx)
  const local = Temporal.Instant.fromEpochMilliseconds(ctx.now.getTime()).toZonedDateTimeISO(timeZone)
  const date = local.toPlainDate().toString()
  const ranges =
    overrides.find((day) => day.date === date)?.ranges ?? weekly.filter(({ day }) => day === local.dayOfWeek)
  const minute = local.hour * 60 + local.minute
  return ranges.some(({ from, to }) => minutesOf(from)! <= minute && minute < minutesOf(to)!)
}
