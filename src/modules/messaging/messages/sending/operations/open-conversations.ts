/** Opens conversations for templates, and creates the contacts of unknown recipients (spec 4.2). */
import type { Unit } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { SerializationConflict } from '../../../../../database/sql/serialization-conflict.ts'
import { createContactsForSend } from '../../../contacts/operations/create-for-send.ts'
import { createConversationsForSend } from '../../../conversations/operations/outbound.ts'
import { refuseContact } from './judge-send.ts'
import type { Findings } from './send-findings.ts'
import type { Routed } from './send-route.ts'

/** The contact and the conversation of a message. */
export type Place = { contactId: string; conversationId: string }
type Item = { item: Routed; found: Findings }

/**
 * Returns the contact and conversation of each send that passed all other checks, in order. Refuses with
 * `plan_limit_reached`, or `contact_opted_out` if a concurrent duplicate created the contact and it opted
 * out. Throws if a contact was erased meanwhile; the retry sees that.
 */
export async function openConversations(unit: Unit, items: Item[]): Promise<(Place | Refusal)[]> {
  const contacts = await contactsOf(unit, items)
  const toOpen = items.flatMap(({ item, found }, i) => {
    const contact = contacts[i]!
    return contact instanceof Refusal || found.conversation ? [] : [{ i, item, contactId: contact.id }]
  })
  const opened =
    toOpen.length === 0
      ? []
      : await createConversationsForSend(
          unit,
          toOpen.map(({ item, contactId }) => ({ ctx: item.ctx, contactId, phoneNumberId: item.number.id })),
        )
  const fresh = new Map(toOpen.map(({ i }, index) => [i, opened[index]?.id]))
  return items.map(({ found }, i) => {
    const contact = contacts[i]!
    if (contact instanceof Refusal) return contact
    const conversationId = found.conversation?.id ?? fresh.get(i)
    if (conversationId === undefined)
      throw new SerializationConflict('a contact was erased while a message was on its way to it')
    return { contactId: contact.id, conversationId }
  })
}

async function contactsOf(unit: Unit, items: Item[]): Promise<({ id: string } | Refusal)[]> {
  const outsiders = items.filter(({ found }) => !found.contact)
  const created =
    outsiders.length === 0
      ? []
      : await createContactsForSend(
          unit,
          outsiders.map(({ item }) => ({ ctx: item.ctx, ...item.recipient })),
        )
  const fresh = new Map(
    outsiders.map(({ item }, i) => {
      const contact = created[i]!
      return [item, contact instanceof Refusal ? contact : (refuseContact(contact) ?? contact)]
    }),
  )
  return items.map(({ item, found }) => found.contact ?? fresh.get(item)!)
}
