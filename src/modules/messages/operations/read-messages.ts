import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { cutPage } from '../../../core/paging.ts'
import { findMessageRow, listMessageRows, type MessageFilter, type MessageRow } from '../queries.ts'
import type { Message } from '../schema.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

/** A stored message as the API shows it. */
export const presentMessage = (row: MessageRow): z.input<typeof Message> => ({
  id: row.id,
  chanmid: row.chanmid,
  conversationId: row.conversationId,
  contactId: row.contactId,
  phoneNumberId: row.phoneNumberId,
  direction: row.direction,
  type: row.type,
  content: row.content,
  // A customer's message has no delivery of ours to report (docs/decisions/message-status.md).
  status: row.status === 'received' ? null : row.status,
  replyTo: row.replyTo,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  sentAt: instant(row.sentAt),
  deliveredAt: instant(row.deliveredAt),
  readAt: instant(row.readAt),
  failedAt: instant(row.failedAt),
})

/** A page of messages, newest first by creation, so that a sync skips no row (spec 2.1). */
export async function listMessages(ctx: Context, filter: MessageFilter) {
  const page = cutPage(await listMessageRows(ctx, filter), filter.limit, (row) => row.id)
  return { messages: page.rows.map(presentMessage), nextCursor: page.nextCursor }
}

/** One message by our id or the channel's (spec 2.5). */
export async function getMessage(ctx: Context, ref: string) {
  const row = await findMessageRow(ctx, isUuid(ref) ? 'id' : 'chanmid', ref)
  return row ? presentMessage(row) : refuse('not_found', 'There is no such message.')
}
