/** Every statement on the counts by day. */
import type { Context, Query, Tx } from '../../core/context.ts'
import { COUNTED, type Counted } from '../../core/count.ts'
import { uuids } from '../../core/sql.ts'

export type Counts = Record<Counted, number>
type Place = { workspaceId: string; day: string; phoneNumberId: string; type: string }
export type NewDelta = Place & { id: string } & Counts

const NAMES = COUNTED.join(', ')
const SUMS = COUNTED.map((name) => `sum(${name}) as ${name}`).join(', ')

const INSERT = `
  insert into activity_deltas (workspace_id, id, day, phone_number_id, type, ${NAMES})
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[],
    ${COUNTED.map((_, i) => `$${i + 6}::int4[]`).join(', ')})`

/** Adds to the counts of days. */
export const insertDeltas = (tx: Tx, rows: NewDelta[]): Promise<unknown> =>
  tx.sql(INSERT, [
    uuids(rows.map((row) => row.workspaceId)),
    uuids(rows.map((row) => row.id)),
    rows.map((row) => row.day),
    uuids(rows.map((row) => row.phoneNumberId)),
    rows.map((row) => row.type),
    ...COUNTED.map((name) => `{${rows.map((row) => row[name]).join(',')}}`),
  ])

// One statement: whoever reads sees a delta or its sum, never both and never neither. The days are
// taken in one order, so that two who add up do not deadlock.
const ADD_UP = `
  with oldest as materialized (
    select workspace_id, id from activity_deltas order by workspace_id, id limit $1 for update skip locked
  ), taken as (
    delete from activity_deltas d using oldest where d.workspace_id = oldest.workspace_id and d.id = oldest.id
    returning d.*
  ), added as (
    insert into activity_days (workspace_id, day, phone_number_id, type, ${NAMES})
    select workspace_id, day, phone_number_id, type, ${SUMS} from taken
    group by workspace_id, day, phone_number_id, type
    order by workspace_id, day, phone_number_id, type
    on conflict (workspace_id, day, phone_number_id, type) do update
    set ${COUNTED.map((name) => `${name} = activity_days.${name} + excluded.${name}`).join(', ')}
  )
  select count(*) as count from taken`

/** Adds up to `most` deltas to their days and returns how many it were. */
export const addUpDeltas = async (query: Query, max: number): Promise<number> =>
  (await query<{ count: number }>(ADD_UP, [max]))[0]?.count ?? 0

/** The counts from one day to another, both included, for each day and kind that has any. */
export function listCounts(
  ctx: Context,
  { from, to, phoneNumberId }: { from: string; to: string; phoneNumberId: string | undefined },
): Promise<({ day: string; type: string } & Counts)[]> {
  const ofNumber = phoneNumberId === undefined ? '' : 'and phone_number_id = $4'
  const counts = (table: string) =>
    `select day, type, ${NAMES} from ${table}
     where workspace_id = $1 and day >= $2 and day <= $3 ${ofNumber}`
  return ctx.tx.sql(
    `select day, type, ${SUMS}
     from (${counts('activity_days')} union all ${counts('activity_deltas')}) counted
     group by day, type order by day, type`,
    [ctx.workspace.id, from, to, ...(phoneNumberId === undefined ? [] : [phoneNumberId])],
  )
}
