/** Conversations of past messages (src/modules/messaging/messages/DECISIONS.md "Past messages"). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { listConversationsOfForUpdate } from '../queries/conversations.ts'
import {
  insertPastConversations,
  type PastChat,
  updatePastConversations,
} from '../queries/past-conversations.ts'

/** A past message, with the contact and the number of its chat. */
export type PastNote = {
  contactId: string
  phoneNumberId: string
  messageId: string
  at: Date
  isInbound: boolean
}

/**
 * Finds or starts the conversations of past messages of one number, and returns their ids by contact. A new conversation is
 * resolved. The list shows each chat by its latest message, so an old message moves none. The window opens without an event
 * if the customer wrote less than 24 hours ago. The transaction has locked the contacts.
 */
export async function placePastChats(ctx: Context, notes: PastNote[]): Promise<Map<string, string>> {
  const chats = new Map<string, PastChat>()
  for (const note of notes) chats.set(note.contactId, withNote(chats.get(note.contactId), note))
  const list = [...chats.values()]
  const parties = list.map(({ contactId, phoneNumberId }) => ({
    workspaceId: ctx.workspace.id,
    contactId,
    phoneNumberId,
  }))
  const ids = new Map(
    (await listConversationsOfForUpdate(ctx.tx, parties)).map((row) => [row.contactId, row.id]),
  )
  const missing = list.filter(({ contactId }) => !ids.has(contactId))
  if (missing.length > 0) {
    await insertPastConversations(
      ctx,
      missing.map((chat) => ({ ...chat, id: newId() })),
    )
    for (const row of await listConversationsOfForUpdate(ctx.tx, parties)) ids.set(row.contactId, row.id)
  }
  await updatePastConversations(
    ctx,
    list.map((chat) => ({
      ...chat,
      id: ids.get(chat.contactId)!,
      windowEnd: windowEnd(ctx, chat.inboundAt),
    })),
  )
  return ids
}

const laterOf = (time: Date, other: Date): Date => (other > time ? other : time)

function withNote(chat: PastChat | undefined, note: PastNote): PastChat {
  const { contactId, phoneNumberId, messageId, at, isInbound } = note
  const inboundAt = isInbound ? at : null
  if (!chat) return { contactId, phoneNumberId, firstAt: at, latestId: messageId, latestAt: at, inboundAt }
  return {
    ...chat,
    firstAt: laterOf(at, chat.firstAt) === at ? chat.firstAt : at,
    latestId: [chat.latestId, messageId].toSorted()[1]!,
    latestAt: laterOf(at, chat.latestAt),
    inboundAt:
      inboundAt && chat.inboundAt ? laterOf(inboundAt, chat.inboundAt) : (inboundAt ?? chat.inboundAt),
  }
}

/** Returns the end of the window that a customer's message opened; null if it is over. */
function windowEnd({ now }: Context, inboundAt: Date | null): Date | null {
  const end = inboundAt && later(inboundAt, DAY_MS)
  return end !== null && end > now ? end : null
}
