import type { z } from 'zod'
import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { idAfter, isUuid } from '../../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../../core/paging.ts'
import { describeContacts } from '../../../../messaging/contacts/operations/find-contact.ts'
import {
  type ConversationRow,
  findConversationRow,
  findConversationRowForUpdate,
  listConversationRows,
} from '../queries/conversations.ts'
import { findMessage, listMessageRows, listMessagesAfter } from '../queries/messages.ts'
import {
  presentConversation,
  presentMessage,
  type SocialConversation,
  type SocialMessage,
  type SocialMessageFilter,
} from '../schema.ts'

type PresentedChat = z.input<typeof SocialConversation>

export const noConversation = (): never =>
  refuse('not_found', 'Direct chat not found. See GET /social/conversations.')

/** Returns a chat of the workspace; undefined if there is none. */
export const findConversation = async (ctx: Context, id: string): Promise<ConversationRow | undefined> =>
  isUuid(id) ? findConversationRow(ctx, id.toLowerCase()) : undefined

/** Returns a chat of the workspace; foreign and missing ones are the same 404. */
export const getConversation = async (ctx: Context, id: string): Promise<ConversationRow> =>
  (await findConversation(ctx, id)) ?? noConversation()

/** Returns the same chat, locked until the transaction ends. */
export const getConversationForUpdate = async (ctx: Context, id: string): Promise<ConversationRow> =>
  (isUuid(id) ? await findConversationRowForUpdate(ctx, id.toLowerCase()) : undefined) ?? noConversation()

async function showConversations(ctx: Context, rows: ConversationRow[]): Promise<PresentedChat[]> {
  const contacts = await describeContacts(ctx, rows)
  return rows.flatMap((row) => {
    const contact = contacts.get(row.contactId)
    // The contact is being erased.
    return contact ? [presentConversation(row, contact, ctx.now)] : []
  })
}

/** Presents one chat in answers. */
export async function showConversation(ctx: Context, row: ConversationRow): Promise<PresentedChat> {
  return (await showConversations(ctx, [row]))[0] ?? noConversation()
}

/** Returns one page of direct chats by latest activity; a chat can move during paging (spec 4.6). */
export async function listConversations(
  ctx: Context,
  page: CursorQuery,
): Promise<{ conversations: PresentedChat[]; nextCursor: string | null }> {
  const found = await listConversationRows(ctx, page)
  const { rows, nextCursor } = cutPage(found, page.limit, (row) => row.activityId)
  return { conversations: await showConversations(ctx, rows), nextCursor }
}

/** Returns a page of messages around one of them, newest first; its cursor continues with older ones. */
async function listAround(ctx: Context, { id }: ConversationRow, around: string, limit: number) {
  const middle = await findMessage(ctx.tx, ctx.workspace.id, around.toLowerCase())
  if (middle?.conversationId !== id) return refuse('not_found', 'The direct chat has no such message.')
  const newer = await listMessagesAfter(ctx, middle, Math.floor((limit - 1) / 2))
  const older = limit - newer.length
  const found = await listMessageRows(ctx, id, { limit: older, cursor: idAfter(middle.id, 1) })
  const page = cutPage(found, older, (message) => message.id)
  return { rows: [...newer.reverse(), ...page.rows], nextCursor: page.nextCursor }
}

async function listPage(ctx: Context, row: ConversationRow, { around, ...page }: SocialMessageFilter) {
  if (around !== undefined) return listAround(ctx, row, around, page.limit)
  return cutPage(await listMessageRows(ctx, row.id, page), page.limit, (message) => message.id)
}

/** Returns a chat and a page of its messages, newest first. Refuses `not_found`, also for the message of `around`. */
export async function readChat(
  ctx: Context,
  id: string,
  page: SocialMessageFilter,
): Promise<{
  conversation: PresentedChat
  messages: z.input<typeof SocialMessage>[]
  nextCursor: string | null
}> {
  const row = await getConversation(ctx, id)
  const [conversation, { rows, nextCursor }] = await Promise.all([
    showConversation(ctx, row),
    listPage(ctx, row, page),
  ])
  return { conversation, messages: rows.map(presentMessage), nextCursor }
}
