import type { Query } from '../../../../../core/context.ts'

/**
 * Deletes up to `max` messages past their workspace's retention, the oldest of each workspace first, and
 * returns how many. Messages that wait to be sent stay. Ids are UUIDv7, so the primary key gives the order of
 * age.
 */
export const deleteOldMessages = async (
  query: Query,
  request: { now: Date; workspaceId: string | undefined; max: number },
): Promise<number> => {
  const [row] = await query<{ count: number }>(
    `with gone as (
       delete from messages m using (
         select o.workspace_id, o.id
         from workspaces w cross join lateral (
           select workspace_id, id, created_at from messages
           where workspace_id = w.id and run_at is null order by id limit $2) o
         where w.message_days > 0 and ($3::uuid is null or w.id = $3)
           and o.created_at < $1::timestamptz + w.clock_offset_ms * interval '1 millisecond' - w.message_days * interval '24 hours'
         limit $2) old
       where m.workspace_id = old.workspace_id and m.id = old.id returning 1
     ) select count(*) as count from gone`,
    [request.now, request.max, request.workspaceId ?? null],
  )
  return row?.count ?? 0
}
