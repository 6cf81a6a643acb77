/** Statements on what became of campaigns' messages. */
import { uuids } from '../../../core/binary-arrays.ts'
import type { Context, Query, Tx } from '../../../core/context.ts'
import type { Tally } from './broadcasts.ts'

export const TALLIED = ['sent', 'delivered', 'read', 'failed', 'skipped'] as const
const NAMES = TALLIED.join(', ')
const SUMS = TALLIED.map((name) => `sum(${name}) as ${name}`).join(', ')

export type NewTally = Tally & { workspaceId: string; id: string; broadcastId: string }

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

// One statement: whoever reads sees a delta or its sum, never both and never neither.
const ADD_UP = `
  with oldest as materialized (
    select workspace_id, id from broadcast_deltas order by workspace_id, id limit $1 for update skip locked
  ), taken as (
    delete from broadcast_deltas d using oldest where d.workspace_id = oldest.workspace_id and d.id = oldest.id
    returning d.*
  ), added as (
    insert into broadcast_counts (workspace_id, broadcast_id, ${NAMES})
    select workspace_id, broadcast_id, ${SUMS} from taken group by workspace_id, broadcast_id order by workspace_id, broadcast_id
    on conflict (workspace_id, broadcast_id) do update
    set ${TALLIED.map((name) => `${name} = broadcast_counts.${name} + excluded.${name}`).join(', ')}
  )
  select count(*) as count from taken`

/** Adds up to `most` deltas to their campaigns and returns how many it were. */
export const addUpTallies = async (query: Query, max: number): Promise<number> =>
  (await query<{ count: number }>(ADD_UP, [max]))[0]?.count ?? 0

/** What became of the messages of these campaigns; one without any is left out. */
export const listTallies = (
  ctx: Context,
  broadcastIds: string[],
): Promise<(Tally & { broadcastId: string })[]> =>
  ctx.tx.sql(
    `select broadcast_id, ${SUMS} from (
       select broadcast_id, ${NAMES} from broadcast_counts where workspace_id = $1 and broadcast_id = any($2::uuid[])
       union all
       select broadcast_id, ${NAMES} from broadcast_deltas where workspace_id = $1 and broadcast_id = any($2::uuid[])
     ) moved group by broadcast_id`,
    [ctx.workspace.id, uuids(broadcastIds)],
  )
