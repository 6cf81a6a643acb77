/** Every statement on business hours. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../core/context.ts'
import { uuids } from '../../../database/sql/binary-arrays.ts'
import { db, json } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { NewBusinessHours } from './schema.ts'

type StoredHours = Selectable<Tables['businessHours']>
export type HoursRow = Pick<StoredHours, 'timeZone' | 'weekly' | 'overrides' | 'updatedAt'> & NewBusinessHours

export const findHours = ({ tx, workspace }: Context): Promise<HoursRow | undefined> =>
  tx.first(
    db
      .selectFrom('businessHours')
      .select(['timeZone', 'weekly', 'overrides', 'updatedAt'])
      .$narrowType<Pick<HoursRow, 'weekly' | 'overrides'>>()
      .where('workspaceId', '=', workspace.id),
  )

/** Returns the hours of those workspaces that have stored hours. */
export const listHours = (
  tx: Tx,
  workspaceIds: string[],
): Promise<(HoursRow & Pick<StoredHours, 'workspaceId'>)[]> =>
  tx.sql(
    'select workspace_id, time_zone, weekly, overrides, updated_at from business_hours where workspace_id = any($1::uuid[])',
    [uuids(workspaceIds)],
  )

export const upsertHours = (
  { tx, workspace, now }: Context,
  { timeZone, weekly, overrides }: NewBusinessHours,
): Promise<unknown> => {
  const written = { timeZone, weekly: json(weekly), overrides: json(overrides), updatedAt: now }
  return tx.run(
    db
      .insertInto('businessHours')
      .values({ workspaceId: workspace.id, ...written })
      .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(written)),
  )
}
