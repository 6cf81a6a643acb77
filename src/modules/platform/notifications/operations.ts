/** Notifications for members (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import { cutPage } from '../../../core/paging.ts'
import { cutText } from '../../../core/values/cut-text.ts'
import { pushNotices } from '../push/operations.ts'
import { findMember } from '../workspaces/operations/workspace-members.ts'
import {
  countUnreadRows,
  insertNotifications,
  listNotificationRows,
  markRowsRead,
  type NotificationRow,
} from './queries.ts'
import {
  type MarkRead,
  type Notification,
  type NotificationKind,
  type NotificationQuery,
  UNREAD_MAX,
} from './schema.ts'

export type Notice = {
  kind: NotificationKind
  /** Without a member, nothing is written. */
  memberId: string | null | undefined
  title: string
  body?: string | null
  subjectId: string
  parentId?: string | null
  contactId?: string | null
}

const MAX_TITLE = 200
const MAX_BODY = 300

/** Returns the name of the acting member; null: the platform. */
async function actorName(ctx: Context): Promise<string | null> {
  const { actor } = ctx
  if (actor.kind === 'platform') return null
  if (actor.kind === 'member') return actor.name
  const member = actor.memberId ? await findMember(ctx, actor.memberId) : undefined
  return member?.name ?? actor.label
}

/** Notifies members in the transaction of the fact, except for the author of the action. */
export async function notifyMembers(ctx: Context, notices: readonly Notice[]): Promise<void> {
  const own = ctx.actor.kind === 'platform' ? null : ctx.actor.memberId
  const otherNotices = notices.filter(({ memberId }) => memberId && memberId !== own)
  if (otherNotices.length === 0) return
  const actor = await actorName(ctx)
  const notified = await insertNotifications(
    ctx,
    otherNotices.map((notice) => ({
      id: newId(),
      memberId: notice.memberId!,
      kind: notice.kind,
      actorName: actor,
      title: cutText(notice.title, MAX_TITLE),
      body: notice.body ? cutText(notice.body, MAX_BODY) : null,
      subjectId: notice.subjectId,
      parentId: notice.parentId ?? null,
      contactId: notice.contactId ?? null,
    })),
  )
  // Names the notified members, so that only their pages reload.
  if (notified.length > 0) touch(ctx, { notification: notified.map(({ memberId }) => memberId) })
  await pushNotices(ctx, notified)
}

function memberOf({ actor }: Context): string {
  // These endpoints accept only sessions.
  if (actor.kind !== 'member') throw new Error('a notification belongs to a member')
  return actor.memberId
}

const present = (row: NotificationRow): z.input<typeof Notification> => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
})

/** Returns one page of the caller's notifications, newest first, and how many are unread in total. */
export async function listNotifications(ctx: Context, query: NotificationQuery) {
  const memberId = memberOf(ctx)
  const { rows, nextCursor } = cutPage(
    await listNotificationRows(ctx, memberId, query),
    query.limit,
    (row) => row.id,
  )
  return {
    notifications: rows.map(present),
    unread: await countUnreadRows(ctx, memberId, UNREAD_MAX),
    nextCursor,
  }
}

/** Marks the caller's notifications as read and returns how many are still unread. */
export async function markNotificationsRead(
  ctx: Context,
  { ids, upTo }: MarkRead,
): Promise<{ unread: number }> {
  const memberId = memberOf(ctx)
  await markRowsRead(ctx, memberId, { ids, upTo })
  touch(ctx, { notification: memberId })
  return { unread: await countUnreadRows(ctx, memberId, UNREAD_MAX) }
}
