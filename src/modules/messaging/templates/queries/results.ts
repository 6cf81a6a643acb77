/** Statements on the results of templates by day (DECISIONS.md "Results"). */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { texts } from '../../../../database/sql/binary-arrays.ts'
import { rowArrays } from '../../../../database/sql/row-arrays.ts'
import { addingUp } from '../../../../database/sql/summed-deltas.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export const RESULTS = ['sent', 'delivered', 'read', 'failed'] as const
const NAMES = RESULTS.join(', ')
const SUMS = RESULTS.map((name) => `sum(${name})::int8 as ${name}`).join(', ')

export type NewResults = Selectable<Tables['templateDeltas']>

const DELTA = rowArrays<NewResults>(
  {
    workspace_id: 'uuid',
    id: 'uuid',
    day: 'text',
    phone_number_id: 'uuid',
    name: 'text',
    language: 'text',
    cause: 'int4',
    ...Object.fromEntries(RESULTS.map((name) => [name, 'int4'])),
  },
  [],
)

/** Inserts differences of the results by day. */
export const insertResults = (tx: Tx, rows: NewResults[]): Promise<unknown> =>
  tx.sql(
    `insert into template_deltas (${DELTA.columns}) select ${DELTA.columns} from ${DELTA.rows}`,
    DELTA.arraysOf(rows),
  )

/** Adds differences to the results of their days. */
export const addUpResults = addingUp({
  deltas: 'template_deltas',
  sums: 'template_days',
  keys: ['day', 'phone_number_id', 'name', 'language', 'cause'],
  counts: RESULTS,
})

export type TemplateSums = Pick<NewResults, 'name' | 'language' | 'phoneNumberId' | 'cause'> &
  Record<(typeof RESULTS)[number], number>

/** Adds up the results of templates with these names since the day `from`, by language, number, and cause. */
export function listResults(ctx: Context, names: string[], from: string): Promise<TemplateSums[]> {
  const selectResults = (table: string) =>
    `select name, language, phone_number_id, cause, ${NAMES} from ${table}
     where workspace_id = $1 and name = any($2::text[]) and day >= $3`
  return ctx.tx.sql(
    `select name, language, phone_number_id, cause, ${SUMS}
     from (${selectResults('template_days')} union all ${selectResults('template_deltas')}) counted
     group by name, language, phone_number_id, cause order by name, language, phone_number_id, cause`,
    [ctx.workspace.id, texts(names), from],
  )
}
