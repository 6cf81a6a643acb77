/** Statements on the month's count of messages, one row for each workspace. */

import type { Selectable } from 'kysely'
import type { Tx } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

type Usage = Pick<Selectable<Tables['workspaceUsage']>, 'workspaceId' | 'month' | 'messages'>

const USAGE = 'select workspace_id, month, messages from workspace_usage where workspace_id = any($1::uuid[])'

/** Returns usage rows of workspaces; with `lock`, locks them in a fixed order. */
export const listMessageUsage = (tx: Tx, workspaceIds: string[], lock: boolean) =>
  tx.sql<Usage>(lock ? `${USAGE} order by workspace_id for update` : USAGE, [uuids(workspaceIds)])

/** Subtracts messages from a month's count, which may have been lowered meanwhile. */
export const lowerMessageUsage = (tx: Tx, { workspaceId, month, messages }: Usage): Promise<unknown> =>
  tx.sql(
    'update workspace_usage set messages = greatest(0, messages - $3) where workspace_id = $1 and month = $2',
    [workspaceId, month, messages],
  )

/** Adds `taken` to each month's count; fails if that exceeds the allowance. */
export const raiseMessageUsage = (
  tx: Tx,
  rows: { workspaceId: string; month: string; taken: number; allowance: number }[],
): Promise<unknown> =>
  tx.sql(
    `with raised as (
       update workspace_usage w
       set month = u.month, messages = case when w.month = u.month then w.messages else 0 end + u.taken
       from unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[]) as u(workspace_id, month, taken, allowance)
       where w.workspace_id = u.workspace_id
         and case when w.month = u.month then w.messages else 0 end + u.taken <= u.allowance
       returning 1)
     select expect_rows((select count(*) from raised), $5)`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      `{${rows.map((row) => row.month).join(',')}}`,
      `{${rows.map((row) => row.taken).join(',')}}`,
      `{${rows.map((row) => row.allowance).join(',')}}`,
      rows.length,
    ],
  )
