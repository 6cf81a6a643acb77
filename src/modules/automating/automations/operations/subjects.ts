/** The subjects of a run: the contact, its lead and its chat, if they exist. */
import type { Context } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import { findContactsOf } from '../../../messaging/contacts/operations/find-contact.ts'
import { presentContact } from '../../../messaging/contacts/schema.ts'
import { findConversationsOfContacts } from '../../../messaging/conversations/operations/find-contact-conversations.ts'
import { findInboxConversation } from '../../../messaging/conversations/operations/read-conversations.ts'
import { findLeadOfContact, readLeadWords } from '../../../selling/crm/operations/find-lead.ts'
import { type LeadWords, presentLead } from '../../../selling/crm/operations/present-lead.ts'
import type { Subjects } from '../condition-fields.ts'
import { valueAt } from '../known-paths.ts'
import type { RunRow } from '../queries/runs.ts'

export type RunEvent = { id: string | null; name: string; data: Record<string, unknown>; createdAt: Date }
/** The data that a run's steps read. It is read again for each step. */
export type Scene = Subjects & {
  lead: Parameters<typeof presentLead>[0] | undefined
  words: LeadWords
  runEvent: RunEvent | undefined
}

type About = Pick<RunRow, 'contactId' | 'leadId' | 'conversationId'>

const idIn = (event: RunEvent | undefined, path: string): string | null => {
  const value = event && valueAt(event.data, path.split('.'))
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
}

/** The paths at which events name their contact, for events whose log entry has none. */
export const CONTACT_PATHS = [
  'contactId',
  'contact.id',
  'invoice.customer.contactId',
  'quotation.customer.contactId',
  'booking.customer.contactId',
]

/** Reads the subjects of a run. The chat is the event's, else the contact's latest. */
export async function readScene(ctx: Context, about: About, event: RunEvent | undefined): Promise<Scene> {
  const contactId =
    about.contactId ?? CONTACT_PATHS.map((path) => idIn(event, path)).find((id) => id !== null) ?? null
  const key = contactId === null ? [] : [{ workspaceId: ctx.workspace.id, contactId }]
  const [contacts, lead, latest, words] = await Promise.all([
    findContactsOf(ctx, key),
    contactId === null ? undefined : findLeadOfContact(ctx, contactId),
    findConversationsOfContacts(ctx, key),
    readLeadWords(ctx),
  ])
  const conversationId = about.conversationId ?? idIn(event, 'conversationId')
  const conversation =
    (conversationId === null ? undefined : await findInboxConversation(ctx, conversationId)) ??
    (contactId === null || !latest.has(contactId)
      ? undefined
      : await findInboxConversation(ctx, latest.get(contactId)!))
  return {
    contact: contactId === null ? undefined : contacts.get(contactId),
    conversation,
    lead,
    leadId: lead?.id,
    event,
    runEvent: event,
    words,
    now: ctx.now,
  }
}

/** Returns the scene for placeholders, in the form of the API. */
export const sceneValues = ({
  contact,
  conversation,
  lead,
  words,
  runEvent,
}: Scene): Record<string, unknown> => ({
  ...(contact ? { contact: presentContact(contact) } : {}),
  ...(lead ? { lead: presentLead(lead, words, conversation?.id ?? null) } : {}),
  ...(conversation ? { conversation: { id: conversation.id, state: conversation.state } } : {}),
  ...(runEvent ? { event: runEvent.data } : {}),
})
