/**
 * Applies messages that the network reported (spec 2.1, 6.3): customers' messages, with each photo as a
 * separate message, and the account's own messages, from here or from the network's app. Repeated reports of
 * a message store it only once.
 */
import type { Context } from '../../../../../core/context.ts'
import { emit } from '../../../../../core/event.ts'
import { idAfter, newId } from '../../../../../core/ids.ts'
import { columnsOfSource } from '../../../../../core/source.ts'
import type { DirectMessage, NetworkCustomer } from '../../../../../social-network/port.ts'
import { upsertInboundContacts } from '../../../../messaging/contacts/operations/inbound-contacts.ts'
import { type ContactInEvent, contactInEvent } from '../../../../messaging/contacts/schema.ts'
import { recordInbound } from '../../../../messaging/conversations/operations/record-inbound.ts'
import { happenedAt } from '../../operations/happened-at.ts'
import { comparableText } from '../comparable-text.ts'
import { socialMessageReceived } from '../events.ts'
import { type ConversationRow, takeConversations, touchConversations } from '../queries/conversations.ts'
import {
  insertMessages,
  listKnownMids,
  listUnreportedForUpdate,
  type NewMessage,
  setSent,
} from '../queries/messages.ts'
import { socialContactOf } from '../schema.ts'
import { applyWaitingChanges } from './apply-changes.ts'
import { addToLeadTimelines } from './lead-timeline.ts'
import { touchChat } from './touch-chat.ts'

/** A message; its first photo takes `id`, further photos take the ids after it. */
export type ReportedMessage = { id: string; message: DirectMessage }

export type MessagesOf = {
  accountId: string
  messages: ReportedMessage[]
  /** The network's data of customers, by its id of them, as far as it was requested. */
  customers: Map<string, NetworkCustomer>
}

type PlacedMessage = ReportedMessage & { contact: ContactInEvent; conversation: ConversationRow; at: Date }

/**
 * Stores messages and emits their events, in the given order. The caller must be the only one to apply
 * reports of the account.
 */
export async function applyMessages(ctx: Context, reportedMessages: MessagesOf): Promise<void> {
  const newMessages = await dropStored(ctx, reportedMessages.messages)
  if (newMessages.length === 0) return
  const placedMessages = await place(ctx, { ...reportedMessages, messages: newMessages })
  const settledEchoes = await settleSent(ctx, placedMessages)
  const rows = placedMessages
    .filter((placedMessage) => !settledEchoes.has(placedMessage))
    .flatMap((placedMessage) => rowsOf(ctx, placedMessage))
  const insertedIds = await insertMessages(ctx.tx, rows)
  announce(
    ctx,
    placedMessages,
    rows.filter((row) => insertedIds.has(row.id)),
  )
  await touchConversations(ctx.tx, latestOf(ctx, placedMessages))
  await recordInInbox(ctx, reportedMessages.accountId, placedMessages)
  await applyWaitingChanges(ctx, [...new Set(placedMessages.map(({ message }) => message.mid))])
  await addToLeadTimelines(ctx, [
    ...rows.filter((row) => insertedIds.has(row.id)),
    ...[...settledEchoes].map(([{ conversation }, id]) => ({
      id,
      conversationId: conversation.id,
      direction: 'outbound' as const,
      type: 'text',
    })),
  ])
}

/** Drops messages that are already stored, and repetitions within the batch. */
async function dropStored(ctx: Context, messages: ReportedMessage[]): Promise<ReportedMessage[]> {
  if (messages.length === 0) return messages
  const mids = messages.map(({ message }) => message.mid)
  const knownMids = new Set(await listKnownMids(ctx.tx, ctx.workspace.id, mids))
  return messages.filter(({ message: { mid } }) => {
    const isNew = !knownMids.has(mid)
    knownMids.add(mid)
    return isNew
  })
}

/** Returns the messages with their contacts and chats, creating missing ones; contacts first. */
async function place(ctx: Context, { accountId, messages, customers }: MessagesOf): Promise<PlacedMessage[]> {
  const people = await upsertInboundContacts(
    ctx,
    messages.map(({ message }) => ({
      ctx,
      phone: `sx:${message.customerId}`,
      userId: null,
      username: customers.get(message.customerId)?.username ?? null,
      profileName: customers.get(message.customerId)?.name ?? null,
      at: message.kind === 'message' ? happenedAt(ctx, message.at) : null,
      source: message.kind === 'message' ? ('inbound_message' as const) : ('smb_echo' as const),
    })),
  )
  const contacts = people.map(({ contact }) => contactInEvent(contact))
  const contactIds = [...new Map(contacts.map((contact) => [contact.id, contact])).keys()]
  const chats = await takeConversations(
    ctx.tx,
    contactIds.map((contactId) => ({
      workspaceId: ctx.workspace.id,
      id: newId(),
      accountId,
      contactId,
      createdAt: ctx.now,
    })),
  )
  const byContact = new Map(chats.map((chat) => [chat.contactId, chat]))
  return messages.flatMap((message, i) => {
    const contact = contacts[i]!
    const conversation = byContact.get(contact.id)
    // The customer is being erased.
    return conversation
      ? [{ ...message, contact, conversation, at: happenedAt(ctx, message.message.at) }]
      : []
  })
}

/**
 * Finds our own sends among the reported messages of the account and marks them as sent. Returns those with
 * our ids.
 */
async function settleSent(
  ctx: Context,
  placedMessages: PlacedMessage[],
): Promise<Map<PlacedMessage, string>> {
  const echoes = placedMessages.filter(({ message }) => message.kind === 'echo')
  const settledEchoes = new Map<PlacedMessage, string>()
  if (echoes.length === 0) return settledEchoes
  const open = await listUnreportedForUpdate(ctx.tx, ctx.workspace.id, [
    ...new Set(echoes.map(({ conversation }) => conversation.id)),
  ])
  for (const echo of echoes) {
    const echoText = comparableText(echo.message.items[0]!)
    const position = open.findIndex(
      (row) => row.conversationId === echo.conversation.id && comparableText(row) === echoText,
    )
    if (echoText === null || position < 0) continue
    const [message] = open.splice(position, 1)
    settledEchoes.set(echo, message!.id)
  }
  if (settledEchoes.size > 0)
    await setSent(
      ctx.tx,
      [...settledEchoes].map(([{ message, at }, id]) => ({
        workspaceId: ctx.workspace.id,
        id,
        mid: message.mid,
        at,
      })),
    )
  return settledEchoes
}

const rowsOf = (ctx: Context, { id, message, conversation, at }: PlacedMessage): NewMessage[] =>
  message.items.map(({ type, content }, part) => ({
    workspaceId: ctx.workspace.id,
    id: idAfter(id, part),
    conversationId: conversation.id,
    direction: message.kind === 'message' ? 'inbound' : 'outbound',
    mid: message.mid,
    part,
    type,
    content,
    status: message.kind === 'message' ? 'received' : 'sent',
    replyTo: message.replyTo,
    requestKey: null,
    createdAt: ctx.now,
    sentAt: at,
    sentBy: null,
    ...columnsOfSource(message.kind === 'message' ? null : { kind: 'phone_app', id: null, name: null }),
  }))

/** Emits events for customers' messages; the account's own messages have none. */
function announce(ctx: Context, placedMessages: PlacedMessage[], rows: NewMessage[]): void {
  const byMid = new Map(placedMessages.map((placedMessage) => [placedMessage.message.mid, placedMessage]))
  for (const row of rows) {
    const placedMessage = byMid.get(row.mid as string)
    if (row.direction === 'outbound' || !placedMessage) continue
    emit(
      ctx,
      socialMessageReceived,
      {
        messageId: row.id,
        mid: placedMessage.message.mid,
        conversationId: row.conversationId,
        contact: socialContactOf(placedMessage.contact),
        type: row.type,
        content: row.content,
        receivedAt: placedMessage.at.toISOString(),
      },
      { contactId: placedMessage.contact.id },
    )
  }
}

/** Moves the chats in the inbox: a customer's message is unread and waits, and one of ours answers it. */
async function recordInInbox(
  ctx: Context,
  accountId: string,
  placedMessages: PlacedMessage[],
): Promise<void> {
  await recordInbound(
    ctx,
    placedMessages.map(({ contact, message, at }) => ({
      ctx,
      contact,
      phoneNumberId: accountId,
      at,
      kind: message.kind,
    })),
  )
  for (const id of new Set(placedMessages.map(({ conversation }) => conversation.id))) touchChat(ctx, id)
}

/**
 * Returns the update of each chat: the latest message, and the customer's latest, from which the window runs.
 */
const latestOf = (ctx: Context, placedMessages: PlacedMessage[]) =>
  [...Map.groupBy(placedMessages, ({ conversation }) => conversation.id)].map(([id, placedOfChat]) => ({
    workspaceId: ctx.workspace.id,
    id,
    activityId: newId(),
    lastMessageAt: latest(placedOfChat),
    lastInboundAt: latest(placedOfChat.filter(({ message }) => message.kind === 'message')),
  }))

const latest = (placedMessages: PlacedMessage[]): Date | null =>
  placedMessages.reduce<Date | null>((last, { at }) => (last && last > at ? last : at), null)
