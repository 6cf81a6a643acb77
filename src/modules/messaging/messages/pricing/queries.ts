/** Statements on the counts of charged messages. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { rowArrays } from '../../../../database/sql/row-arrays.ts'
import { addingUp } from '../../../../database/sql/summed-deltas.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** The operator's charge for a message; `unknown` if the operator reports none. */
export type Billing = 'free' | 'charged' | 'unknown'

/** Messages of one kind on a day of the workspace. */
export type PricedCount = Pick<
  Selectable<Tables['pricedDays']>,
  'day' | 'market' | 'category' | 'billing' | 'messages'
> & { billing: Billing }

const COLUMNS = 'day, market, category, billing, messages'

type NewDelta = PricedCount & Pick<Selectable<Tables['pricedDeltas']>, 'workspaceId' | 'id'>
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

/** Adds deltas to their days. */
export const addUpPriced = addingUp({
  deltas: 'priced_deltas',
  sums: 'priced_days',
  keys: ['day', 'market', 'category', 'billing'],
  counts: ['messages'],
})

/** Lists the counts between two days, both included. */
export const listPricedCounts = (ctx: Context, from: string, to: string): Promise<PricedCount[]> =>
  ctx.tx.sql<PricedCount>(
    `select day, market, category, billing, sum(messages)::int8 as messages
     from (select workspace_id, ${COLUMNS} from priced_days union all select workspace_id, ${COLUMNS} from priced_deltas) counted
     where workspace_id = $1 and day >= $2 and day <= $3
     group by day, market, category, billing order by day, market, category, billing`,
    [ctx.workspace.id, from, to],
  )
