/**
 * Messages of the past, as imports and the operator's history bring them (DECISIONS.md "Past messages"). Each is stored once,
 * where it belongs by its time. Nothing else happens: no event, no answer, no unread mark, no count of use.
 */
import { DAY_MS, later } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import { touch } from '../../../../../core/event.ts'
import { admitMessagesSince } from '../../../../platform/workspaces/operations/message-retention.ts'
import { holdOffErasures } from '../../../contacts/operations/erase-contact.ts'
import { findOrCreatePastContacts } from '../../../contacts/operations/past-contacts.ts'
import { placePastChats } from '../../../conversations/operations/past-conversations.ts'
import { attachPastFiles } from '../../../media/operations/past-files.ts'
import { listErasedIds } from '../../intake/queries/erased-ids.ts'
import { indexedWords } from '../../reading/operations/search-words.ts'
import { insertMessageWords } from '../../reading/queries/message-words.ts'
import { type PastMessage, type PastSource, pastMessageId } from '../past-message.ts'
import { insertPastMessages, listStoredKeys, type PastRow } from '../queries/past-messages.ts'

export const MAX_PAST_MESSAGES = 500

/**
 * Why a message was not stored. erased: its customer was erased after it; past_retention: it is older than the workspace keeps
 * messages; future: its time has not come; contact_limit: its contact is new, and the plan has no room.
 */
export type PastCause = 'erased' | 'past_retention' | 'future' | 'contact_limit'

/** `known`: stored before. `contacts`: new contacts. `leftOut`: the others, by their place in the list. */
export type StoredPast = {
  stored: number
  known: number
  contacts: number
  leftOut: { index: number; cause: PastCause }[]
}

type PastBatch = { phoneNumberId: string; source: PastSource; messages: PastMessage[] }
type Item = { message: PastMessage; id: string; index: number }

/**
 * Stores up to 500 messages of a number of the workspace in one transaction, set by set. Repeating it, in part or at the same
 * time, changes nothing. `phoneNumberId` and `sentBy` must belong to the workspace.
 */
export async function storePastMessages(context: Context, batch: PastBatch): Promise<StoredPast> {
  if (batch.messages.length > MAX_PAST_MESSAGES) throw new Error('too many past messages')
  const ctx: Context = { ...context, via: 'import' }
  const result: StoredPast = { stored: 0, known: 0, contacts: 0, leftOut: [] }
  if (batch.messages.length === 0) return result
  await holdOffErasures(ctx)
  const items = batch.messages.map((message, index) => ({
    message,
    index,
    id: pastMessageId(ctx.workspace.id, batch.source, message),
  }))
  const missing = await withoutStored(ctx, items)
  const storable = await withoutLeftOut(ctx, missing, result)
  const people = await findOrCreatePastContacts(
    ctx,
    storable.map(({ message: { contact, direction, createdAt } }) => ({
      ...contact,
      seenAt: direction === 'inbound' ? createdAt : null,
    })),
  )
  const placed: (Item & { contactId: string })[] = []
  for (const [i, item] of storable.entries()) {
    const person = people.contactIds[i]
    if (person === undefined) result.leftOut.push({ index: item.index, cause: 'contact_limit' })
    else placed.push({ ...item, contactId: person })
  }
  result.contacts = people.created
  result.stored = placed.length === 0 ? 0 : await storePlaced(ctx, batch, placed)
  result.known = items.length - result.stored - result.leftOut.length
  return result
}

/** Returns the messages that are not stored yet, each once. */
async function withoutStored(ctx: Context, items: Item[]): Promise<Item[]> {
  const chanmids = items.flatMap(({ message: { chanmid } }) => chanmid ?? [])
  const stored = await listStoredKeys(ctx, { ids: items.map(({ id }) => id), chanmids })
  return items.filter(({ id, message: { chanmid } }) => {
    if (stored.has(id) || (chanmid && stored.has(chanmid))) return false
    stored.add(id)
    if (chanmid) stored.add(chanmid)
    return true
  })
}

/** Returns the messages that may be stored, and adds the others to `result`. */
async function withoutLeftOut(ctx: Context, items: Item[], result: StoredPast): Promise<Item[]> {
  if (items.length === 0) return []
  const earliest = new Date(Math.min(...items.map(({ message }) => message.createdAt.getTime())))
  const { messageDays } = await admitMessagesSince(ctx, earliest)
  const oldest = messageDays > 0 ? later(ctx.now, -messageDays * DAY_MS) : undefined
  const namesOf = ({ phone, userId }: PastMessage['contact']): string[] => [
    ...(phone === undefined ? [] : [phone.replace('+', '')]),
    ...(userId === undefined ? [] : [userId]),
  ]
  const names = [...new Set(items.flatMap(({ message }) => namesOf(message.contact)))]
  const workspaceId = ctx.workspace.id
  const erasures = new Map(
    (
      await listErasedIds(
        ctx,
        names.map((name) => ({ workspaceId, name })),
      )
    ).flatMap(({ name, isPerson, erasedAt }) => (isPerson ? [[name, erasedAt] as const] : [])),
  )
  const causeOf = ({ createdAt, contact }: PastMessage): PastCause | undefined => {
    if (createdAt > ctx.now) return 'future'
    if (oldest !== undefined && createdAt < oldest) return 'past_retention'
    const isErased = namesOf(contact).some((name) => {
      const erasedAt = erasures.get(name)
      return erasedAt !== undefined && createdAt <= later(erasedAt, ctx.workspace.clockOffsetMs)
    })
    return isErased ? 'erased' : undefined
  }
  return items.filter(({ message, index }) => {
    const cause = causeOf(message)
    if (cause !== undefined) result.leftOut.push({ index, cause })
    return cause === undefined
  })
}

/** Stores the messages in their chats; returns how many are new. */
async function storePlaced(
  ctx: Context,
  { phoneNumberId, source }: PastBatch,
  placed: (Item & { contactId: string })[],
): Promise<number> {
  const chats = await placePastChats(
    ctx,
    placed.map(({ id, contactId, message: { createdAt, direction } }) => ({
      contactId,
      phoneNumberId,
      messageId: id,
      at: createdAt,
      isInbound: direction === 'inbound',
    })),
  )
  const rows = placed.map((item) =>
    rowOf(ctx, { ...item, phoneNumberId, source, conversationId: chats.get(item.contactId)! }),
  )
  const inserted = await insertPastMessages(ctx, source, rows)
  const stored = rows.filter(({ id }) => inserted.has(id))
  const words = stored.flatMap(({ id, type, content }) => {
    const text = indexedWords({ type, content, templateText: null })
    return text === '' ? [] : [{ id, words: text }]
  })
  // The source of words has passed their place, because their ids are old.
  if (words.length > 0) await insertMessageWords(ctx, words)
  await attachPastFiles(
    ctx,
    placed.flatMap(({ id, message: { file } }) =>
      file && inserted.has(id) ? [{ mediaId: file.mediaId, messageId: id }] : [],
    ),
  )
  touch(ctx, {
    conversation: [...new Set(stored.map((row) => row.conversationId))],
    contact: [...new Set(stored.map((row) => row.contactId))],
  })
  return stored.length
}

type PlacedItem = Item & {
  contactId: string
  phoneNumberId: string
  conversationId: string
  source: PastSource
}

function rowOf(ctx: Context, { message, source, ...placed }: PlacedItem): PastRow {
  const { id, contactId, phoneNumberId, conversationId } = placed
  const { direction, createdAt, type = 'text', content, chanmid, replyTo, sentBy } = message
  const status = direction === 'inbound' ? 'received' : (message.status ?? 'delivered')
  const isWrittenInApp = source === 'phone_app' || source === 'whatsapp_export'
  const sourceKind = sentBy ? 'member' : isWrittenInApp ? 'phone_app' : null
  return {
    workspaceId: ctx.workspace.id,
    id,
    conversationId,
    contactId,
    phoneNumberId,
    direction,
    type,
    content,
    status,
    chanmid: chanmid ?? null,
    replyTo: replyTo ?? null,
    createdAt,
    sentBy: direction === 'outbound' ? (sentBy ?? null) : null,
    sentAt: status === 'failed' ? null : createdAt,
    failedAt: status === 'failed' ? createdAt : null,
    sourceKind: direction === 'outbound' ? sourceKind : null,
  }
}
