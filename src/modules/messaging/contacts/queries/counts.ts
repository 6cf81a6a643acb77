/** SQL for the number of contacts per workspace. Counts are kept only for workspaces with a limit. */

import type { Selectable } from 'kysely'
import type { Tx, Unit } from '../../../../core/context.ts'
import { texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, isFound } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ContactRow } from './contacts.ts'

type Usage = Pick<Selectable<Tables['workspaceUsage']>, 'workspaceId' | 'contacts'>
const USAGE = 'select workspace_id, contacts from workspace_usage where workspace_id = any($1::uuid[])'

/** Returns the stored contacts of limited workspaces. Null: not counted yet. */
export const listUsage = (tx: Tx, workspaceIds: string[]): Promise<Usage[]> =>
  tx.sql(USAGE, [uuids(workspaceIds)])

/** Returns the same, with a lock that every other count waits for. */
export const listUsageForUpdate = (tx: Tx, workspaceIds: string[]): Promise<Usage[]> =>
  tx.sql(`${USAGE} order by workspace_id for update`, [uuids(workspaceIds)])

/**
 * Returns which numbers are stored, and how many contacts their workspaces have (null: not counted), in one
 * snapshot.
 */
export const listNumbersWithUsage = (
  tx: Tx,
  keys: { workspaceId: string; phone: string }[],
): Promise<(Usage & Pick<ContactRow, 'phone'> & { known: boolean })[]> =>
  tx.sql(
    `select wanted.workspace_id, wanted.phone,
            ${isFound('from contacts c where c.workspace_id = wanted.workspace_id and c.phone = wanted.phone')} as known,
            (select contacts from workspace_usage u where u.workspace_id = wanted.workspace_id) as contacts
     from unnest($1::uuid[], $2::text[]) as wanted (workspace_id, phone)`,
    [uuids(keys.map((key) => key.workspaceId)), texts(keys.map((key) => key.phone))],
  )

/**
 * Adds `more` contacts to each workspace's count, up to its limit (null: no limit). Fails when a limit is
 * exceeded.
 */
export async function raiseContactCounts(
  tx: Tx,
  rows: { workspaceId: string; more: number; limit: number | null }[],
): Promise<void> {
  await tx.sql(
    `with raised as (
       update workspace_usage w set contacts = w.contacts + r.more
       from unnest($1::uuid[], $2::int8[], $3::int8[]) as r (workspace_id, more, most)
       where w.workspace_id = r.workspace_id and (r.most is null or w.contacts + r.more <= r.most)
       returning 1)
     select expect_rows((select count(*) from raised), $4)`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      `{${rows.map((row) => row.more).join(',')}}`,
      `{${rows.map((row) => row.limit ?? 'NULL').join(',')}}`,
      rows.length,
    ],
  )
}

export const countContactRows = async (tx: Tx, workspaceId: string): Promise<number> => {
  const row = await tx.first(
    db
      .selectFrom('contacts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', workspaceId),
  )
  return row?.count ?? 0
}

export async function saveContactCounts(
  unit: Unit,
  counts: { workspaceId: string; contacts: number }[],
): Promise<void> {
  await unit.tx.sql(
    `insert into workspace_usage (workspace_id, contacts) select * from unnest($1::uuid[], $2::bigint[])
     on conflict (workspace_id) do update set contacts = excluded.contacts`,
    [counts.map((count) => count.workspaceId), counts.map((count) => count.contacts)],
  )
}
