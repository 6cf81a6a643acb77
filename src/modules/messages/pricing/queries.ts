/** Every statement on the counts of what the operator charges. */
import type { Context, Query, Tx } from '../../../core/context.ts'
import { rowArrays } from '../../../core/row-arrays.ts'

/** Whether the operator charges for a message, in its own words; unknown: it does not say. */
export type Billing = 'free' | 'charged' | 'unknown'

/** Messages of one kind on a day of the workspace. */
export type PricedCount = {
  day: string
  market: string
  category: string
  billing: Billing
  messages: number
}

const COLUMNS = 'day, market, category, billing, messages'

type NewDelta = PricedCount & { workspaceId: string; id: string }
const DELTA = rowArrays<NewDelta>(
  {
    workspace_id: 'uuid',
    id: 'uuid',
    day: 'text',
    market: 'text',
    category: 'text',
    billing: 'text',
    messages: 'int4',
  },
  [],
)

/** Adds to the counts of days. */
export const insertPricedDeltas = (tx: Tx, rows: NewDelta[]): Promise<unknown> =>
  tx.sql(
    `insert into priced_deltas (${DELTA.columns}) select ${DELTA.columns} from ${DELTA.rows}`,
    DELTA.arraysOf(rows),
  )

// One statement: whoever reads sees a delta or its sum, never both and never neither. The days are
// taken in one order, so that two who add up do not deadlock.
const ADD_UP = `
  with oldest as materialized (
    select workspace_id, id from priced_deltas order by workspace_id, id limit $1 for update skip locked
  ), taken as (
    delete from priced_deltas d using oldest where d.workspace_id = oldest.workspace_id and d.id = oldest.id
    returning d.*
  ), added as (
    insert into priced_days (workspace_id, ${COLUMNS})
    select workspace_id, day, market, category, billing, sum(messages) from taken
    group by workspace_id, day, market, category, billing
    order by workspace_id, day, market, category, billing
    on conflict (workspace_id, day, market, category, billing) do update
    set messages = priced_days.messages + excluded.messages
  )
  select count(*) as count from taken`

/** Adds up to `max` deltas to their days and returns how many it were. */
export const addUpPriced = async (query: Query, max: number): Promise<number> =>
  (await query<{ count: number }>(ADD_UP, [max]))[0]?.count ?? 0

/** The counts from one day to another, both included. */
export const listPricedCounts = (ctx: Context, from: string, to: string): Promise<PricedCount[]> =>
  ctx.tx.sql<PricedCount>(
    `select day, market, category, billing, sum(messages)::int8 as messages
     from (select workspace_id, ${COLUMNS} from priced_days union all select workspace_id, ${COLUMNS} from priced_deltas) counted
     where workspace_id = $1 and day >= $2 and day <= $3
     group by day, market, category, billing order by day, market, category, billing`,
    [ctx.workspace.id, from, to],
  )
