/** Background work that deletes old rows (docs/decisions/retention.md). */
import { type Clock, HOUR_MS } from './clock.ts'
import type { Database, Query } from './context.ts'
import type { WorkSource } from './work.ts'

/** Dependencies of a source that deletes. */
export type RetentionDeps = { database: Pick<Database, 'query'>; clock: Clock }

/**
 * Returns a work source that deletes by real time, so rows of a sandbox with an advanced clock stay longer, without effect.
 * `deleteOld` deletes at most `max` rows of each kind and returns the counts. Full batches run again immediately; other rows
 * wait for the next poll.
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
