/** What a run is about: the contact, their lead and their chat, as far as they are there. */
import type { Context } from '../../../core/context.ts'
import { isUuid } from '../../../core/ids.ts'
import { findContactsOf } from '../../contacts/operations/find-contact.ts'
import { presentContact } from '../../contacts/schema.ts'
import { findConversationsOfContacts } from '../../conversations/operations/of-contacts.ts'
import { findConversation } from '../../conversations/operations/read-conversations.ts'
import { findLeadOfContact, readLeadWords } from '../../crm/operations/find-lead.ts'
import { type LeadWords, presentLead } from '../../crm/operations/present-lead.ts'
import type { Subjects } from '../condition-fields.ts'
import { valueAt } from '../known-paths.ts'
import type { RunRow } from '../queries/runs.ts'

export type RunEvent = { id: string | null; name: string; data: Record<string, unknown>; createdAt: Date }
/** What the parts of a run look at; read anew at each step. */
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

/** Where events name the contact that they are about, where the log does not say. */
export const CONTACT_PATHS = [
  'contactId',
  'contact.id',
  'invoice.customer.contactId',
  'quotation.customer.contactId',
  'booking.customer.contactId',
]

/** Reads what there is. An event may name its chat; else it is the one that the contact last began. */
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
  const named = about.conversationId ?? idIn(event, 'conversationId')
  const conversation =
    (named === null ? undefined : await findConversation(ctx, named)) ??
    (contactId === null || !latest.has(contactId)
      ? undefined
      : await findConversation(ctx, latest.get(contactId)!))
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

/** The scene as placeholders see it: as the API shows it. */
export const shownScene = ({
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
