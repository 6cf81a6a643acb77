import type { z } from 'zod'
import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { idAfter, isUuid } from '../../../../../core/ids.ts'
import { cutPage } from '../../../../../core/paging.ts'
import type { Source } from '../../../../../core/source.ts'
import { readNumber, userIdIn } from '../../../../../core/values/phone.ts'
import { requireCostlyRead } from '../../../../../database/sql/costly-reads.ts'
import { findContact, presentContactId } from '../../../contacts/operations/find-contact.ts'
import { notANumber } from '../../../contacts/operations/settle-numbers.ts'
import {
  conversationsOfContact,
  keptConversationId,
} from '../../../conversations/operations/find-contact-conversations.ts'
import type { MessageRow } from '../../message-rows.ts'
import { MESSAGE_STATUSES, type Message, type MessageFilter } from '../../schema.ts'
import {
  hasManyMessages,
  listMessageRows,
  listMessagesAfter,
  type MessageListing,
} from '../queries/message-lists.ts'
import { findMessageRow } from '../queries/messages.ts'
import { messageWords } from './message-words.ts'
import { wantedWords } from './search-words.ts'

const instant = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns the source of a message. Messages from before sources were stored show what their other columns say. */
export function presentSource({ sourceKind, sourceId, sourceName, ...row }: MessageRow): Source | null {
  if (sourceKind) return { kind: sourceKind, id: sourceId, name: sourceName }
  if (row.origin) return { kind: 'automation', id: row.origin.automationId, name: null }
  if (row.broadcastId) return { kind: 'campaign', id: row.broadcastId, name: null }
  return row.sentBy ? { kind: 'member', id: row.sentBy, name: null } : null
}

/** Returns a stored message in the format of the API. */
export const presentMessage = (row: MessageRow): z.input<typeof Message> => ({
  id: row.id,
  chanmid: row.chanmid,
  conversationId: row.conversationId,
  contactId: row.contactId,
  phoneNumberId: row.phoneNumberId,
  direction: row.direction,
  type: row.type,
  content: row.content,
  text: messageWords(row.type, row.content, row.templateText),
  // A customer's message has no delivery of ours to report (DECISIONS.md).
  status: row.status === 'received' ? null : row.status,
  replyTo: row.replyTo,
  sentBy: row.sentBy,
  automation: row.origin ? { id: row.origin.automationId, runId: row.origin.runId } : null,
  source: presentSource(row),
  context: row.context,
  originalContent: row.originalContent,
  editedAt: instant(row.editedAt),
  deletedAt: instant(row.deletedAt),
  importedFrom: row.importedFrom,
  pricing: row.pricing,
  error: row.error,
  // A queued message may already be marked as skipped; its status changes when its turn comes.
  skipReason: row.status === 'skipped' ? row.skipReason : null,
  createdAt: row.createdAt.toISOString(),
  sentAt: instant(row.sentAt),
  deliveredAt: instant(row.deliveredAt),
  readAt: instant(row.readAt),
  failedAt: instant(row.failedAt),
})

/** Returns the states to list; customers' messages have the state `received`. */
function statusesOf({ status, direction }: MessageFilter): MessageListing['statuses'] {
  if (status !== undefined) return direction === 'inbound' ? [] : [status]
  if (direction === undefined) return undefined
  return direction === 'inbound' ? ['received'] : [...MESSAGE_STATUSES]
}

const isCustomerName = ({ workspace }: Context, text: string): boolean =>
  userIdIn(text) !== undefined || readNumber(text, workspace).fresh !== undefined

/** Returns the conversations of the list; undefined for all. */
async function conversationsOf(ctx: Context, filter: MessageFilter): Promise<string[] | undefined> {
  const { conversationId, contactId, phone } = filter
  const requestedId = conversationId?.toLowerCase()
  if (contactId === undefined && phone === undefined)
    return requestedId === undefined ? undefined : [requestedId]
  const presentId = await presentContactId(ctx, contactId)
  const named = phone === undefined ? presentId : (await findContact(ctx, phone))?.id
  if (named === undefined && phone !== undefined && !isCustomerName(ctx, phone))
    throw notANumber('phone', phone)
  if (named === undefined || (presentId !== undefined && presentId !== named)) return []
  const ids = await conversationsOfContact(ctx, named)
  return requestedId === undefined ? ids : ids.filter((id) => id === requestedId)
}

/** Returns a page of messages, newest first by creation, so that a sync skips no row (spec 2.1). */
export async function listMessages(ctx: Context, filter: MessageFilter) {
  const { limit, cursor, ids, type, phoneNumberId, search } = filter
  if (filter.around !== undefined) return listAround(ctx, filter.around, limit)
  const words = search ? wantedWords(search) : undefined
  // Without a letter or digit, a search text matches nothing.
  if (search && !words) return { messages: [], nextCursor: null }
  const list = async (request: MessageFilter) => {
    const conversationIds = await conversationsOf(ctx, request)
    if (words && !ids && (await hasManyMessages(ctx, conversationIds ?? []))) await requireCostlyRead(ctx)
    return listMessageRows(ctx, {
      limit,
      cursor,
      ids,
      conversationIds,
      statuses: statusesOf(filter),
      type,
      phoneNumberId,
      tsquery: words?.tsquery,
    })
  }
  const found = await list(filter)
  // Only an empty result justifies the query whether the chat was merged into another.
  const targetId =
    found.length === 0 && filter.conversationId !== undefined
      ? await keptConversationId(ctx, filter.conversationId)
      : undefined
  const rows = targetId === undefined ? found : await list({ ...filter, conversationId: targetId })
  const page = cutPage(rows, limit, (row) => row.id)
  return { messages: page.rows.map(presentMessage), nextCursor: page.nextCursor }
}

/** Returns a page of a conversation around a message, newest first; its cursor continues with older ones. */
async function listAround(ctx: Context, id: string, limit: number) {
  const middle = (await findMessageRow(ctx, 'id', id)) ?? noMessage()
  const newer = await listMessagesAfter(ctx, middle, Math.floor((limit - 1) / 2))
  const older = limit - newer.length
  const rows = await listMessageRows(ctx, {
    limit: older,
    cursor: idAfter(middle.id, 1),
    conversationIds: [middle.conversationId],
  })
  const page = cutPage(rows, older, (row) => row.id)
  return {
    messages: [...newer.reverse(), ...page.rows].map(presentMessage),
    nextCursor: page.nextCursor,
  }
}

const noMessage = (): never => refuse('not_found', 'Message not found. See GET /messages.')

/** Returns a message by our id or the channel's (spec 2.5). */
export const getMessage = async (ctx: Context, ref: string) => presentMessage(await getMessageRow(ctx, ref))

/** A message as it is stored, without the columns of its hand-over. */
export type FoundMessage = MessageRow

/** Does the same, as it is stored. */
export const getMessageRow = async (ctx: Context, ref: string): Promise<MessageRow> =>
  (await findMessageRow(ctx, isUuid(ref) ? 'id' : 'chanmid', ref)) ?? noMessage()
