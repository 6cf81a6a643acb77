/** Statements on notifications. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../core/context.ts'
import { uuids } from '../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { NotificationKind, NotificationQuery } from './schema.ts'

export type NotificationRow = Omit<Selectable<Tables['notifications']>, 'kind'> & { kind: NotificationKind }
export type NewNotificationRow = Omit<NotificationRow, 'workspaceId' | 'createdAt' | 'readAt'>

/**
 * Adds notifications for current members who have turned on their kind, and returns the written ones. A
 * member with an unread notification about the same subject gets no second one, except for mentions.
 */
export const insertNotifications = async (
  { tx, workspace, now }: Context,
  rows: readonly NewNotificationRow[],
): Promise<Pick<NotificationRow, 'id' | 'memberId'>[]> =>
  tx.sql<Pick<NotificationRow, 'id' | 'memberId'>>(
    `insert into notifications (workspace_id, id, member_id, kind, actor_name, title, body, subject_id, parent_id, contact_id, created_at)
       select $1, n.id, n.member_id, n.kind, n.actor_name, n.title, n.body, n.subject_id, n.parent_id, n.contact_id, $2
       from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::uuid[], $11::uuid[])
         as n (id, member_id, kind, actor_name, title, body, subject_id, parent_id, contact_id)
       join members m on m.workspace_id = $1 and m.id = n.member_id and m.left_at is null
       left join member_preferences p on p.workspace_id = $1 and p.member_id = m.id
       where coalesce(p.preferences -> 'notifications' ->> n.kind, 'true') <> 'false'
         and (n.kind = 'mention' or not exists (
           select from notifications u where u.workspace_id = $1 and u.member_id = n.member_id and u.read_at is null
             and u.kind = n.kind and u.subject_id = n.subject_id))
       returning id, member_id`,
    [
      workspace.id,
      now,
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.memberId)),
      rows.map((row) => row.kind),
      rows.map((row) => row.actorName),
      rows.map((row) => row.title),
      rows.map((row) => row.body),
      uuids(rows.map((row) => row.subjectId)),
      uuids(rows.map((row) => row.parentId)),
      uuids(rows.map((row) => row.contactId)),
    ],
  )

/** Lists one row more than the limit, newest first. */
export const listNotificationRows = (
  { tx, workspace }: Context,
  memberId: string,
  { limit, cursor, kind, unread }: NotificationQuery,
): Promise<NotificationRow[]> =>
  tx.sql<NotificationRow>(
    `select * from notifications where workspace_id = $1 and member_id = $2 and ($3::uuid is null or id < $3)
       ${kind === undefined ? 'and $4::text is null' : 'and kind = $4'} ${unread ? 'and read_at is null' : ''}
     order by id desc limit $5`,
    [workspace.id, memberId, cursor ?? null, kind ?? null, limit + 1],
  )

/** Returns how many are unread, up to `max`. */
export const countUnreadRows = async (
  { tx, workspace }: Context,
  memberId: string,
  max: number,
): Promise<number> =>
  (
    await tx.sql<{ count: number }>(
      `select count(*)::int4 as count from (
         select 1 from notifications where workspace_id = $1 and member_id = $2 and read_at is null limit $3) unread`,
      [workspace.id, memberId, max],
    )
  )[0]!.count

/** Marks the member's unread notifications as read: these, or all up to `upTo`. */
export const markRowsRead = (
  { tx, workspace, now }: Context,
  memberId: string,
  { ids, upTo }: { ids: string[] | undefined; upTo: string | undefined },
): Promise<unknown> =>
  tx.sql(
    `update notifications set read_at = $3
     where workspace_id = $1 and member_id = $2 and read_at is null and (id = any($4::uuid[]) or id <= $5::uuid)`,
    [workspace.id, memberId, now, uuids(ids ?? []), upTo ?? null],
  )

/** Deletes at most `max` that are older than `before`. */
export const deleteOldNotifications = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query<{ count: number }>(
      `with gone as (
         delete from notifications n using (
           select workspace_id, id from notifications where created_at < $1 order by created_at limit $2) old
         where n.workspace_id = old.workspace_id and n.id = old.id returning 1
       ) select count(*)::int4 as count from gone`,
      [before, max],
    )
  )[0]!.count
