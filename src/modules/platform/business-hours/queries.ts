/** Every statement on business hours. */

import type { Context, Tx } from '../../../core/context.ts'
import { uuids } from '../../../database/sql/binary-arrays.ts'
import { json } from '../../../database/sql/sql.ts'
import type { NewBusinessHours } from './schema.ts'

export type HoursRow = NewBusinessHours & { updatedAt: Date }

export const findHours = async ({ tx, workspace }: Context): Promise<HoursRow | undefined> =>
  (
    await tx.sql<HoursRow>(
      'select time_zone, weekly, overrides, updated_at from business_hours where workspace_id = $1',
      [workspace.id],
    )
  )[0]

/** Returns the hours of those workspaces that have stored hours. */
export const listHours = (tx: Tx, workspaceIds: string[]): Promise<(HoursRow & { workspaceId: string })[]> =>
  tx.sql(
    'select workspace_id, time_zone, weekly, overrides, updated_at from business_hours where workspace_id = any($1::uuid[])',
    [uuids(workspaceIds)],
  )

export const upsertHours = (
  { tx, workspace, now }: Context,
  { timeZone, weekly, overrides }: NewBusinessHours,
): Promise<unknown> =>
  tx.sql(
    `insert into business_hours (workspace_id, time_zone, weekly, overrides, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id) do update
     set time_zone = excluded.time_zone, weekly = excluded.weekly, overrides = excluded.overrides,
       updated_at = excluded.updated_at`,
    [workspace.id, timeZone, json(weekly), json(overrides), now],
  )
