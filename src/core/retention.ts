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
