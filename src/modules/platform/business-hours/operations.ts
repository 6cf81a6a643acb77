import type { z } from 'zod'
import type { Context, Unit } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import { isOpenAt } from './is-open.ts'
import { findHours, listHours, upsertHours } from './queries.ts'
import type { BusinessHours, NewBusinessHours } from './schema.ts'

type BusinessHoursReply = z.input<typeof BusinessHours>

/** Returns the business hours. Without stored hours, uses the workspace's zone. */
export async function readHours(ctx: Context): Promise<BusinessHoursReply> {
  const row = await findHours(ctx)
  if (!row) return { timeZone: ctx.workspace.timezone, weekly: [], overrides: [], updatedAt: null }
  return { ...row, updatedAt: row.updatedAt.toISOString() }
}

/** Replaces the hours. Omitted times are closed. */
export async function replaceHours(ctx: Context, hours: NewBusinessHours): Promise<BusinessHoursReply> {
  await upsertHours(ctx, hours)
  touch(ctx, { businessHours: ctx.workspace.id })
  return { ...hours, updatedAt: ctx.now.toISOString() }
}

/**
 * Returns whether each workspace is open at its own current time, by id. Workspaces without hours are
 * missing.
 */
export async function readOpen(
  unit: Unit,
  moments: { workspace: { id: string }; now: Date }[],
): Promise<Map<string, boolean>> {
  const timesByWorkspace = new Map(moments.map(({ workspace, now }) => [workspace.id, now]))
  if (timesByWorkspace.size === 0) return new Map()
  const rows = await listHours(unit.tx, [...timesByWorkspace.keys()])
  return new Map(
    rows.map(({ workspaceId, ...hours }) => [
      workspaceId,
      isOpenAt(hours, timesByWorkspace.get(workspaceId)!),
    ]),
  )
}
