/**
 * Customers' messages (spec 3, 6.3): stored once however often they are told, with the contact,
 * the conversation and its window; STOP and START are obeyed.
 */
import type { Context, Unit } from '../../../core/context.ts'
import { emit } from '../../../core/event.ts'
import type { InboundMessage } from '../../../operator/port.ts'
import { type ConsentWord, recordConsent } from '../../contacts/operations/consent.ts'
import { upsertInboundContacts } from '../../contacts/operations/inbound-contacts.ts'
import { contactInEvent } from '../../contacts/schema.ts'
import { noteInbound } from '../../conversations/operations/note-inbound.ts'
import { messageReceived } from '../events.ts'
import { insertReceivedMessages, listKnownChanmids, type NewMessage } from '../queries.ts'

/** One message from a customer; `id` is ours, given at intake. */
export type InboundItem = { ctx: Context; id: string; phoneNumberId: string; message: InboundMessage }

const STOP_WORDS = new Set(['stop', 'unsubscribe', 'cancel', 'end', 'quit'])
const START_WORDS = new Set(['start', 'unstop', 'yes'])

/** What the whole message, in any case, says about being written to. */
function consentWord({ type, content }: InboundMessage): 'opted_out' | 'lifted' | undefined {
  if (type !== 'text' || typeof content.body !== 'string') return undefined
  const word = content.body.trim().toLowerCase()
  if (STOP_WORDS.has(word)) return 'opted_out'
  return START_WORDS.has(word) ? 'lifted' : undefined
}

/** Drops what is known already and repetitions within the list. */
async function onlyNew(unit: Unit, items: InboundItem[]): Promise<InboundItem[]> {
  const keys = items.map(({ ctx, message }) => ({ workspaceId: ctx.workspace.id, chanmid: message.chanmid }))
  const seen = new Set(
    (await listKnownChanmids(unit.tx, keys)).map((one) => `${one.workspaceId} ${one.chanmid}`),
  )
  return items.filter(({ ctx, message }) => {
    const key = `${ctx.workspace.id} ${message.chanmid}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Takes customers' messages in, in the order given. */
export async function applyInbound(unit: Unit, all: InboundItem[]): Promise<void> {
  const items = all.length === 0 ? [] : await onlyNew(unit, all)
  if (items.length === 0) return
  const senders = await upsertInboundContacts(
    unit,
    items.map(({ ctx, message: { phone, userId, username, profileName, at } }) => ({
      ctx,
      phone,
      userId,
      username,
      profileName,
      at,
      source: 'inbound_message',
    })),
  )
  const contacts = senders.map(({ contact }) => contactInEvent(contact))
  const conversations = await noteInbound(
    unit,
    items.map(({ ctx, phoneNumberId, message }, i) => ({
      ctx,
      contact: contacts[i]!,
      phoneNumberId,
      at: message.at,
    })),
  )
  const rows = items.flatMap((item, i): NewMessage[] =>
    conversations[i] ? [rowOf(item, contacts[i]!.id, conversations[i].id)] : [],
  )
  const stored = await insertReceivedMessages(unit.tx, rows)
  const words: ConsentWord[] = []
  for (const [i, { ctx, id, message }] of items.entries()) {
    if (!stored.has(id)) continue
    emit(
      ctx,
      messageReceived,
      {
        messageId: id,
        chanmid: message.chanmid,
        conversationId: conversations[i]!.id,
        contact: contacts[i]!,
        type: message.type,
        content: message.content,
      },
      { contactId: contacts[i]!.id },
    )
    const word = consentWord(message)
    if (word)
      words.push({
        ctx,
        contactId: contacts[i]!.id,
        word,
        source: `message ${message.chanmid}`,
        at: message.at,
      })
  }
  await recordConsent(unit, words)
}

const rowOf = (
  { ctx, id, phoneNumberId, message }: InboundItem,
  contactId: string,
  conversationId: string,
): NewMessage => ({
  workspaceId: ctx.workspace.id,
  id,
  conversationId,
  contactId,
  phoneNumberId,
  direction: 'inbound',
  type: message.type,
  content: message.content,
  status: 'received',
  chanmid: message.chanmid,
  replyTo: message.replyTo,
  createdAt: ctx.now,
  runAt: null,
})
