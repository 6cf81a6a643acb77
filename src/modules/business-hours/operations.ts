import type { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { touch } from '../../core/event.ts'
import { findHours, upsertHours } from './queries.ts'
import type { BusinessHours, NewBusinessHours } from './schema.ts'

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
