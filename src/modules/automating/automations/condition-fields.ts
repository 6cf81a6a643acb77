/**
 * The fields of conditions other than those of leads. Each is evaluated as a lead field of the same type that
 * has its value, so that lead filters and conditions share one language (DECISIONS.md).
 */
import { digitsOf } from '../../../core/values/phone.ts'
import type { getContact } from '../../messaging/contacts/operations/find-contact.ts'
import { nameOf } from '../../messaging/contacts/schema.ts'
import type { getConversation } from '../../messaging/conversations/operations/read-conversations.ts'
import { isWindowOpen } from '../../messaging/conversations/schema.ts'
import type { LeadLike } from '../../selling/crm/operations/judge-conditions.ts'

export type Subjects = {
  contact: Awaited<ReturnType<typeof getContact>> | undefined
  conversation: Awaited<ReturnType<typeof getConversation>> | undefined
  leadId: string | undefined
  event: { name: string; data: Record<string, unknown> } | undefined
  now: Date
}

/** The lead field that the condition is evaluated as, and the values of that lead. */
export type LeadField = { field: string; valuesOf(subjects: Subjects): LeadLike }

const VALUE = 'attributes.value'

const plain = (get: (subjects: Subjects) => unknown): LeadField => ({
  field: VALUE,
  valuesOf: (subjects) => {
    const value = get(subjects)
    return value === undefined || value === null ? {} : { attributes: { value } }
  },
})
const text = (get: (subjects: Subjects) => string | null | undefined): LeadField => ({
  field: 'source',
  valuesOf: (subjects) => ({ source: get(subjects) ?? null }),
})
const time = (get: (subjects: Subjects) => Date | null | undefined): LeadField => ({
  field: 'createdAt',
  valuesOf: (subjects) => ({ createdAt: get(subjects) ?? null }),
})

export const CONTACT_FIELDS: Record<string, LeadField> = {
  'contact.displayName': text(({ contact }) => contact && nameOf(contact)),
  'contact.phone': {
    field: 'phone',
    // A contact without a phone number matches no phone number.
    valuesOf: ({ contact }) => ({ phone: contact?.phone.startsWith('+') ? digitsOf(contact.phone) : null }),
  },
  'contact.userId': text(({ contact }) => contact?.userId),
  'contact.username': text(({ contact }) => contact?.username),
  'contact.tags': { field: 'tags', valuesOf: ({ contact }) => ({ tags: contact?.tags ?? [] }) },
  'contact.optInStatus': text(({ contact }) => contact?.optInStatus),
  'contact.optInSource': text(({ contact }) => contact?.optInSource),
  'contact.blocked': plain(({ contact }) => contact?.blocked),
  'contact.channel': text(({ contact }) => contact?.channel),
  'contact.createdAt': time(({ contact }) => contact?.createdAt),
  'contact.lastSeenAt': time(({ contact }) => contact?.lastSeenAt),
}

export const CONVERSATION_FIELDS: Record<string, LeadField> = {
  'conversation.state': text(({ conversation }) => conversation?.state),
  'conversation.priority': text(({ conversation }) => conversation?.priority),
  'conversation.isArchived': plain(({ conversation }) => conversation?.isArchived),
  'conversation.assignedAgentId': {
    field: 'owner',
    valuesOf: ({ conversation }) => ({ ownerId: conversation?.assignedAgentId ?? null }),
  },
  'conversation.windowOpen': plain(
    ({ conversation, now }) => conversation && isWindowOpen(conversation, now),
  ),
  'conversation.phoneNumberId': text(({ conversation }) => conversation?.phoneNumberId),
  'conversation.unreadCount': {
    field: 'dealValue',
    valuesOf: ({ conversation }) => ({ dealValue: conversation?.unreadCount ?? null }),
  },
  'conversation.lastMessageAt': time(({ conversation }) => conversation?.lastMessageAt),
  'conversation.waitingSince': time(({ conversation }) => conversation?.waitingSince),
  'conversation.windowExpiresAt': time(({ conversation }) => conversation?.windowExpiresAt),
  'conversation.createdAt': time(({ conversation }) => conversation?.createdAt),
}

export const CONTACT_ATTRIBUTE = 'contact.attributes.'
export const contactAttribute = (key: string): LeadField => ({
  field: `attributes.${key}`,
  valuesOf: ({ contact }) => ({ attributes: contact?.attributes ?? {} }),
})

/** Returns the field for a value in an event. Lists of strings are evaluated like tags. */
export const eventField = (value: unknown): LeadField =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? { field: 'tags', valuesOf: () => ({ tags: value }) }
    : plain(() => value)

/** Returns the field for whether the business is open. The field is empty if there are no business hours. */
export const openField = (isOpen: boolean | undefined): LeadField => plain(() => isOpen)
