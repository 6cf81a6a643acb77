/**
 * Counters without lock waits: writers add rows of differences, readers sum them with the stored sums, and background work adds
 * the differences to the sums (src/modules/reporting/analytics/DECISIONS.md).
 */
import type { Query } from '../../core/context.ts'
import { plainList } from './sql.ts'

/** The tables of differences and of sums: one row for each workspace and `keys`. */
export type Summed = {
  deltas: string
  sums: string
  keys: readonly string[]
  counts: readonly string[]
  /** Condition for sums that are stored; by default, all are. */
  having?: string
}

/** Adds the first differences, at most `limit`, to their sums, and returns how many it added. */
export type AddUp = (query: Query, limit: number) => Promise<number>

/** Adds up in one transaction, so that a reader sees a difference or its sum, never both and never neither. */
export const addingUp =
  ({ deltas, sums, keys, counts, having }: Summed): AddUp =>
  async (query, limit) =>
    (
      await query<{ count: number }>('select add_up($1, $2, $3::text[], $4::text[], $5, $6) as count', [
        deltas,
        sums,
        plainList(['workspace_id', ...keys]),
        plainList(counts),
        having ?? 'true',
        limit,
      ])
    )[0]!.count
