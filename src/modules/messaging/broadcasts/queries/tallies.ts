/** Statements on the results of campaigns' messages. */

import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { addingUp } from '../../../../database/sql/summed-deltas.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Tally } from './broadcasts.ts'

export const TALLIED = ['sent', 'delivered', 'read', 'failed', 'skipped'] as const
const NAMES = TALLIED.join(', ')
const SUMS = TALLIED.map((name) => `sum(${name}) as ${name}`).join(', ')

type DeltaRow = Selectable<Tables['broadcastDeltas']>
export type NewTally = Tally & Pick<DeltaRow, 'workspaceId' | 'id' | 'broadcastId'>

export const insertTallies = (tx: Tx, rows: NewTally[]): Promise<unknown> =>
  tx.sql(
    `insert into broadcast_deltas (workspace_id, id, broadcast_id, ${NAMES})
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], ${TALLIED.map((_, i) => `$${i + 4}::int4[]`).join(', ')})`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.broadcastId)),
      ...TALLIED.map((name) => `{${rows.map((row) => row[name]).join(',')}}`),
    ],
  )

/** Adds differences to the sums of their campaigns. */
export const addUpTallies = addingUp({
  deltas: 'broadcast_deltas',
  sums: 'broadcast_counts',
  keys: ['broadcast_id'],
  counts: TALLIED,
})

/** Returns the results of the messages of these campaigns. Campaigns without results are missing. */
export const listTallies = (
  ctx: Context,
  broadcastIds: string[],
): Promise<(Tally & Pick<DeltaRow, 'broadcastId'>)[]> =>
  ctx.tx.sql(
    `select broadcast_id, ${SUMS} from (
       select broadcast_id, ${NAMES} from broadcast_counts where workspace_id = $1 and broadcast_id = any($2::uuid[])
       union all
       select broadcast_id, ${NAMES} from broadcast_deltas where workspace_id = $1 and broadcast_id = any($2::uuid[])
     ) moved group by broadcast_id`,
    [ctx.workspace.id, uuids(broadcastIds)],
  )
