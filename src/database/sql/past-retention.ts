import type { Query } from '../../core/context.ts'

/** Ids below and above the ids of all workspaces. */
const [FIRST, LAST] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/** `workspaceId` limits the deletion to one workspace; `first` is the workspace with which it begins. */
export type PastRetention = { now: Date; max: number; workspaceId?: string; first?: string }

/** `last`: the last workspace with found rows. Another process can delete a found row first, so `deleted` can be smaller. */
export type DeletedPastRetention = { deleted: number; found: number; last: string | null }

/**
 * Returns a function that deletes up to `max` messages of `table` past the `message_days` of their workspace, by the clock of the
 * workspace, the oldest of each workspace first. `which`: a further condition on the rows.
 *
 * Ids are UUIDv7, so the primary key gives the order of age, and an index scan that ends where the old messages end: a sandbox's
 * time only runs ahead of the real time of its ids. Each bound is computed once, because many workspaces have the same days.
 * A workspace that is younger than its days, and has no imported messages of before, has no old messages.
 */
export const deletingPastRetention =
  (table: string, which = 'true') =>
  async (query: Query, request: PastRetention): Promise<DeletedPastRetention> =>
    (
      await query<DeletedPastRetention>(
        `with ages as materialized (
           select message_days, clock_offset_ms, before, id_bound(before) as bound from (
             select distinct message_days, clock_offset_ms,
               $1::timestamptz + clock_offset_ms * interval '1 millisecond' - message_days * interval '24 hours' as before
             from workspaces where message_days > 0 and paused_at is null and id between $3 and $4) a
         ), old as materialized (
           select o.workspace_id, o.id
           from workspaces w join ages a using (message_days, clock_offset_ms) cross join lateral (
             select workspace_id, id, created_at from ${table}
             where workspace_id = w.id and ${which} and id < a.bound order by id limit $2) o
           where w.paused_at is null and w.id between $3 and $4 and least(w.created_at, w.messages_since) < a.before and o.created_at < a.before
           order by w.id limit $2
         ), gone as (
           delete from ${table} m using old where m.workspace_id = old.workspace_id and m.id = old.id returning 1
         ) select (select count(*) from gone) as deleted, (select count(*) from old) as found,
             (select workspace_id from old order by workspace_id desc limit 1) as last`,
        [
          request.now,
          request.max,
          request.workspaceId ?? request.first ?? FIRST,
          request.workspaceId ?? LAST,
        ],
      )
    )[0]!

/**
 * Returns a function that deletes the next old messages of all workspaces with each call. A call continues in the workspace in
 * which the former ended, so that it does not look again into those before it. After a call that found fewer than `max`, the next
 * one begins with the first workspace.
 */
export const sweepingPastRetention = (
  deleteOld: ReturnType<typeof deletingPastRetention>,
): ((query: Query, now: Date, max: number) => Promise<number>) => {
  let first: string | undefined
  return async (query, now, max) => {
    const { found, last } = await deleteOld(query, { now, max, first })
    first = found < max ? undefined : (last ?? undefined)
    return found
  }
}
