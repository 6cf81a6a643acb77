/** The partitions of the log of deliveries: one for each day (UTC) by its name, and one for what no day was made for. */
import { later, MINUTE_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'

/** The name of a part, as the database's catalog gave it: safe in a statement's text. */
export type LogPartition = `deliveries_${string}`

/** Longer than a transaction may take: rows of a day may appear for so long after it, and the next is looked at so long before. */
export const UNSETTLED_MS = 10 * MINUTE_MS

/** The day of the log (UTC, 2026-06-01) in which a moment lies. */
export const logDayOf = (at: Date): string => at.toISOString().slice(0, 10)
/** That day as the names of parts end. */
export const partitionSuffix = (at: Date): string => logDayOf(at).replaceAll('-', '')
/** The partition of the log of deliveries for the day of a moment. */
export const partitionOfDay = (at: Date): LogPartition => `deliveries_${partitionSuffix(at)}`

// One look at the head of each part's index of pending rows. Parts of now are listed whatever they hold.
const PENDING = `
select 'deliveries_' || days.day as partition
from (
  select right(part.relname, 8) as day
  from pg_inherits i join pg_class part on part.oid = i.inhrelid
  where i.inhparent = 'deliveries'::regclass and part.relname ~ '^deliveries_[0-9]{8}$'
) days
where days.day::date = any ($1::date[]) or exists (
  select from deliveries d
  where d.run_at is not null and d.id >= id_bound(days.day::date::timestamp at time zone 'UTC')
    and d.id < id_bound((days.day::date + 1)::timestamp at time zone 'UTC'))
union all
select 'deliveries_other' where exists (select from deliveries_other where run_at is not null)
order by 1`

/** The parts in which rows are pending, and those in which new ones come about `now`; the oldest first. */
export async function listPendingPartitions(
  database: Pick<Database, 'query'>,
  now: Date,
): Promise<LogPartition[]> {
  const about = [logDayOf(later(now, -UNSETTLED_MS)), logDayOf(later(now, UNSETTLED_MS))]
  const rows = await database.query<{ partition: LogPartition }>(PENDING, [about])
  return rows.map((row) => row.partition)
}

const UNDEFINED_TABLE = '42P01'

/** What a statement on one partition answers; undefined when that was dropped meanwhile, and no row of it is left. */
export const unlessDropped = <Answer>(statement: Promise<Answer>): Promise<Answer | undefined> =>
  statement.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error
    return undefined
  })

/** Runs `work` for each partition with the rows that lie in it, one after the other, passing over dropped ones. */
export async function inEachPartition<Row>(
  rows: readonly Row[],
  partitionOf: (row: Row) => LogPartition,
  work: (partition: LogPartition, rows: Row[]) => Promise<unknown>,
): Promise<void> {
  for (const [partition, some] of Map.groupBy(rows, partitionOf)) await unlessDropped(work(partition, some))
}
