/** Work that deletes what has outlived its time (docs/decisions/retention.md). */
import { type Clock, HOUR_MS } from './clock.ts'
import type { Database, Query } from './context.ts'
import type { WorkSource } from './work.ts'

/** What a source that deletes is given. */
export type RetentionDeps = { database: Pick<Database, 'query'>; clock: Clock }

/**
 * A source of work that deletes by real time: the rows of a sandbox that runs ahead lie longer, to no effect. `deleteOld`
 * deletes at most `max` rows of each kind and answers how many of each; what is left is deleted at the next look, or at once
 * where one look did not take it all.
 */
export const retentionSource = (
  { database, clock }: RetentionDeps,
  source: {
    name: string
    pollMs?: number
    max: number
    deleteOld(query: Query, now: Date, max: number): Promise<number[]>
  },
): WorkSource => ({
  name: source.name,
  pollMs: source.pollMs ?? HOUR_MS,
  async runDue({ workspaceId }) {
    if (workspaceId !== undefined) return 0
    const counts = await source.deleteOld(database.query, clock.now(), source.max)
    return counts.some((count) => count >= source.max) ? counts.reduce((sum, count) => sum + count) : 0
  },
})

/** Deletes up to `max` rows of a table whose moment in `column` is not after `before`, the oldest first; answers how many. */
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
