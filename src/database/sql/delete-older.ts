import type { Query } from '../../core/context.ts'

/** Deletes up to `max` rows whose time in `column` is not after `before`, the oldest first; returns how many. */
export const deletingOlder =
  (table: string, column: string) =>
  async (query: Query, before: Date, max: number): Promise<number> =>
    (
      await query<{ count: number }>(
        `with gone as (
           delete from ${table} where ctid = any (array(
             select ctid from ${table} where ${column} <= $1 order by ${column} limit $2)) returning 1
         ) select count(*) as count from gone`,
        [before, max],
      )
    )[0]!.count
