import type { Query } from '../../../../core/context.ts'
import { deletingOlder } from '../../../../database/sql/delete-older.ts'

/** Reports that could not be applied. */
export const deleteFailedUpdates = deletingOlder('social_updates', 'failed_at')

/** Edits, deletions and reactions whose message never arrived. */
export const deleteWaitingChanges = deletingOlder('social_message_changes', 'created_at')

/** Replies whose comment never arrived. */
export const deleteWaitingReplies = deletingOlder('social_waiting_replies', 'created_at')

/** Deletes up to `max` direct messages past their workspace's retention; returns how many. */
export const deleteOldMessages = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query<{ count: number }>(
      `with gone as (
         delete from social_messages m using (
           select o.workspace_id, o.id
           from workspaces w cross join lateral (
             select workspace_id, id, created_at from social_messages where workspace_id = w.id order by id limit $2) o
           where w.message_days > 0 and o.created_at < $1::timestamptz - w.message_days * interval '24 hours'
           limit $2) old
         where m.workspace_id = old.workspace_id and m.id = old.id returning 1
       ) select count(*) as count from gone`,
      [now, max],
    )
  )[0]!.count
