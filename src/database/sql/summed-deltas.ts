/**
 * Counters without lock waits: writers add rows of differences, readers sum them with the stored sums, and background work adds
 * the differences to the sums (src/modules/reporting/analytics/DECISIONS.md).
 */
import type { Query } from '../../core/context.ts'

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

/**
 * Adds up in one statement, so that a reader sees a difference or its sum, never both and never neither. Sums are locked in one
 * order, so that two concurrent runs cannot deadlock.
 */
export function addingUp({ deltas, sums, keys, counts, having }: Summed): AddUp {
  const key = ['workspace_id', ...keys].join(', ')
  const statement = `
  with oldest as materialized (
    select workspace_id, id from ${deltas} order by workspace_id, id limit $1 for update skip locked
  ), taken as (
    delete from ${deltas} d using oldest where d.workspace_id = oldest.workspace_id and d.id = oldest.id
    returning d.*
  ), added as (
    insert into ${sums} (${[key, ...counts].join(', ')})
    select ${[key, ...counts.map((name) => `sum(${name}) as ${name}`)].join(', ')} from taken
    group by ${key}${having === undefined ? '' : ` having ${having}`}
    order by ${key}
    on conflict (${key}) do update set ${counts.map((name) => `${name} = ${sums}.${name} + excluded.${name}`).join(', ')}
  )
  select count(*)::int4 as count from taken`
  return async (query, limit) => (await query<{ count: number }>(statement, [limit]))[0]!.count
}
