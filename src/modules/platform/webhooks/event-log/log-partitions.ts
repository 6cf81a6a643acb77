/** The partitions of the log of deliveries: one for each day (UTC), and one for days without a partition. */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'

/** The name of a partition from the database's catalog: safe in the text of a statement. */
export type LogPartition = `deliveries_${string}`

/**
 * Longer than any transaction: rows of a day may appear this long after it, and the next day is included this
 * early.
 */
export const UNSETTLED_MS = 10 * MINUTE_MS

/** Returns the day of the log (UTC, 2026-06-01) of a time. */
export const logDayOf = (date: Date): string => date.toISOString().slice(0, 10)
/** Returns that day as the suffix of partition names. */
export const partitionSuffix = (date: Date): string => logDayOf(date).replaceAll('-', '')
/** Returns the partition of the log of deliveries for the day of a time. */
export const partitionOfDay = (date: Date): LogPartition => `deliveries_${partitionSuffix(date)}`

/** Lists the partitions with pending rows, and those for new rows around `now`; the oldest first. */
export async function listPendingPartitions(
  database: Pick<Database, 'query'>,
  now: Date,
): Promise<LogPartition[]> {
  const pendingDays = [logDayOf(later(now, -UNSETTLED_MS)), logDayOf(later(now, UNSETTLED_MS))]
  const rows = await database.query<{ partition: LogPartition }>(
    'select partition from pending_partitions($1::date[]) as partition',
    [pendingDays],
  )
  return rows.map((row) => row.partition)
}

const UNDEFINED_TABLE = '42P01'

/**
 * Returns the result of a statement on a partition; undefined if the partition was dropped meanwhile, with
 * all its rows.
 */
export const unlessDropped = <Answer>(statement: Promise<Answer>): Promise<Answer | undefined> =>
  statement.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error
    return undefined
  })

/** Runs `work` for each partition with its rows, one after the other; skips dropped partitions. */
export async function inEachPartition<Row>(
  rows: readonly Row[],
  partitionOf: (row: Row) => LogPartition,
  work: (partition: LogPartition, rows: Row[]) => Promise<unknown>,
): Promise<void> {
  for (const [partition, rowsOfPartition] of Map.groupBy(rows, partitionOf))
    await unlessDropped(work(partition, rowsOfPartition))
}
