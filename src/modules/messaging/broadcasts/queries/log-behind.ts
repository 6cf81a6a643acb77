import type { Query } from '../../../../core/context.ts'

/**
 * Returns whether a quarter of the database's memory for its log waits for the disk. A database that does not
 * show this is never behind.
 */
export const isLogBehind = async (query: Query): Promise<boolean> => {
  const [row] = await query<{ behind: boolean }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn())
       > pg_size_bytes(current_setting('wal_buffers')) / 4 as behind`,
  ).catch(() => [])
  return row?.behind === true
}
