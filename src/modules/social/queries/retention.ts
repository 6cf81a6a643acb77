import type { Query } from '../../../core/context.ts'

const counted = (statement: string): string =>
  `with gone as (${statement} returning 1) select count(*) as count from gone`

const countOf = async (query: Query, statement: string, parameters: unknown[]): Promise<number> =>
  (await query<{ count: number }>(counted(statement), parameters))[0]?.count ?? 0

/** Deletes up to `max` rows of a table whose moment is past `before`; answers how many. */
const olderThan =
  (table: string, column: string) =>
  (query: Query, before: Date, max: number): Promise<number> =>
    countOf(
      query,
      `delete from ${table} where ctid = any (array(
         select ctid from ${table} where ${column} <= $1 order by ${column} limit $2))`,
      [before, max],
    )

/** Reports that could not be applied. */
export const deleteFailedUpdates = olderThan('social_updates', 'failed_at')

/** Edits, withdrawals and reactions whose message never came. */
export const deleteWaitingChanges = olderThan('social_message_changes', 'created_at')

/** Replies whose comment never came. */
export const deleteWaitingReplies = olderThan('social_waiting_replies', 'created_at')

/** Deletes up to `max` direct messages that are older than their workspace keeps messages; answers how many. */
export const deleteOldMessages = (query: Query, now: Date, max: number): Promise<number> =>
  countOf(
    query,
    `delete from social_messages m using (
       select o.workspace_id, o.id
       from workspaces w cross join lateral (
         select workspace_id, id, created_at from social_messages where workspace_id = w.id order by id limit $2) o
       where w.message_days > 0 and o.created_at < $1::timestamptz - w.message_days * interval '24 hours'
       limit $2) old
     where m.workspace_id = old.workspace_id and m.id = old.id`,
    [now, max],
  )
