/**
 * The contacts and conversations of customers whose messages, calls, and choices are reported, and of messages
 * typed in the phone app: found or created, and locked, contacts before conversations.
 */
import type { Unit } from '../../../../../core/context.ts'
import type { ConsentWord } from '../../../contacts/operations/consent.ts'
import { upsertInboundContacts } from '../../../contacts/operations/inbound-contacts.ts'
import type { Sender } from '../../../contacts/operations/judge-senders.ts'
import { type ContactInEvent, contactInEvent } from '../../../contacts/schema.ts'
import { type InboundNote, recordInbound } from '../../../conversations/operations/record-inbound.ts'
import { listKnownChanmids } from '../../queries.ts'
import { ofKinds, type Reported, type UpdateItem } from './update-items.ts'

type Place = {
  contact: ContactInEvent
  /** Undefined if the contact was erased meanwhile. */
  conversationId: string | undefined
  previousInboundAt: Date | null
  hadOptedOut: boolean
}

type Message = Reported<'inbound' | 'echo'>
type Call = Reported<'call'>
type Preference = Reported<'preference'>
export type PlacedMessage = Message & Place
export type PlacedCall = Call & Place

/** The new messages, the calls, and the choices about consent, with their contacts and conversations. */
type Placed = { messages: PlacedMessage[]; calls: PlacedCall[]; choices: ConsentWord[] }

export async function placePeople(unit: Unit, items: UpdateItem[]): Promise<Placed> {
  const calls = ofKinds(items, 'call')
  const preferences = ofKinds(items, 'preference')
  let candidates = ofKinds(items, 'inbound', 'echo')
  const reported = () => [...candidates, ...calls, ...preferences]
  if (reported().length === 0) return { messages: [], calls: [], choices: [] }
  const recheck = async () => {
    candidates = await dropStored(unit, candidates)
    return reported().map(senderOf)
  }
  const upserted = await upsertInboundContacts(unit, reported().map(senderOf), recheck)
  const people = new Map(
    upserted.map(({ contact }, i) => [
      reported()[i]!,
      { contact: contactInEvent(contact), hadOptedOut: contact.optInStatus === 'opted_out' },
    ]),
  )
  // A concurrent report of the same messages may have held the locks of the contacts until now.
  const messages = upserted.every(({ locked }) => locked) ? candidates : await dropStored(unit, candidates)
  const written = [...messages, ...calls]
  const notes = written.map((item) => noteOf(item, people.get(item)!.contact))
  const chats = notes.length === 0 ? [] : await recordInbound(unit, notes)
  const placeOf = (item: Message | Call, i: number): Place => ({
    ...people.get(item)!,
    conversationId: chats[i]?.id,
    previousInboundAt: chats[i]?.previousInboundAt ?? null,
  })
  return {
    messages: messages.map((item, i) => ({ ...item, ...placeOf(item, i) })),
    calls: calls.map((item, i) => ({ ...item, ...placeOf(item, messages.length + i) })),
    choices: preferences.map((item) => choiceOf(item, people.get(item)!.contact.id)),
  }
}

/** Drops messages that are already stored, and repetitions within the batch. */
async function dropStored(unit: Unit, items: Message[]): Promise<Message[]> {
  if (items.length === 0) return items
  const keys = items.map(({ ctx, report }) => ({ workspaceId: ctx.workspace.id, chanmid: report.chanmid }))
  const seen = new Set(
    (await listKnownChanmids(unit.tx, keys)).map((row) => `${row.workspaceId} ${row.chanmid}`),
  )
  return items.filter(({ ctx, report }) => {
    const key = `${ctx.workspace.id} ${report.chanmid}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Returns the customer who wrote, called or chose, with the details for their contact. */
function senderOf({ ctx, report }: Message | Call | Preference): Sender {
  const { phone, userId, username, profileName, kind } = report
  const about = { ctx, phone, userId, username, profileName }
  if (kind === 'echo') return { ...about, at: null, source: 'smb_echo' }
  if (kind === 'preference') return { ...about, at: null, source: 'user_preferences' }
  // A customer who calls is treated like a customer who writes.
  return { ...about, at: report.at, source: 'inbound_message' }
}

/** Returns the change that a message or a call makes to its conversation. */
function noteOf({ ctx, phoneNumberId, report }: Message | Call, contact: ContactInEvent): InboundNote {
  const note = { ctx, phoneNumberId, contact, at: report.at }
  if (report.kind !== 'inbound') return { ...note, kind: report.kind }
  return report.type === 'reaction'
    ? { ...note, kind: 'reaction' }
    : { ...note, kind: 'message', referred: report.referred }
}

const choiceOf = ({ ctx, report }: Preference, contactId: string): ConsentWord => ({
  ctx,
  contactId,
  word: report.word === 'stop' ? 'opted_out' : 'opted_in',
  source: 'user_preferences',
  at: report.at,
})
