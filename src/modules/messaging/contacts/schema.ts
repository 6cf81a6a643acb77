import { z } from 'zod'
import { isoOf } from '../../../core/clock.ts'
import { customerData, customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { isLonger } from '../../../core/values/cut-text.ts'
import { isLanguageTag, LANGUAGE_TAG_MAX } from '../../../core/values/languages.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import type { ContactRow } from './queries/contacts.ts'

export const TAGS_MAX = 50
export const ATTRIBUTES_MAX = 100
const NAME_MAX = 200
export const OPT_IN_SOURCE_MAX = 120

/** Accepts text of at most `max` characters. An emoji of two UTF-16 units is one character. */
export const characters = (max: number, least = 0) =>
  z
    .string()
    .refine((text) => !isLonger(text, max), `Must have at most ${max} characters.`)
    .refine(
      (text) => text.length >= least,
      least === 1 ? 'Must not be empty.' : `Must have at least ${least} characters.`,
    )
    .meta({ maxLength: max, ...(least > 0 ? { minLength: least } : {}) })

/** Returns whether the text is only white space. */
const isBlank = (text: string): boolean => text.trim() === ''

/** Accepts text of 1 to `max` characters that isn't blank. */
export const requiredText = (max: number) =>
  characters(max)
    .refine((text) => !isBlank(text), 'Must not be empty.')
    .meta({ minLength: 1 })

/**
 * Accepts text of at most `max` characters, kept as written, or null. Blank text becomes null, so that people
 * can clear a field.
 */
export const nullableText = (max: number) =>
  characters(max)
    .transform((text) => (isBlank(text) ? null : text))
    .nullable()

/** Search text, trimmed. Null when blank, because an empty search box sends it. */
export const SearchText = characters(200).transform((text) => text.trim() || null)

/** A tag as contacts carry it. */
export const TagName = z
  .string()
  .trim()
  .refine((tag) => tag.length > 0 && !isLonger(tag, 100), 'Must have 1 to 100 characters.')
  .meta({ minLength: 1, maxLength: 100 })

export const OPT_IN_STATUSES = ['unknown', 'opted_in', 'opted_out'] as const

/** Tags from a request: trimmed, without duplicates, in the order of their first mention (spec 2.6). */
export const Tags = z
  .array(TagName)
  .max(TAGS_MAX, `Must have at most ${TAGS_MAX} tags.`)
  .transform((tags) => [...new Set(tags)])

const ATTRIBUTE_NAME_MAX = 100
const isAttributeName = (key: string): boolean => key !== '' && !isLonger(key, ATTRIBUTE_NAME_MAX)

/** The name of a custom field. */
export const AttributeName = z
  .string()
  .refine(isAttributeName, `Must have 1 to ${ATTRIBUTE_NAME_MAX} characters.`)
  // Request bodies reject this key (docs/decisions/requests.md).
  .refine((key) => key !== '__proto__', 'Must not be used as a field name.')
  .meta({ minLength: 1, maxLength: ATTRIBUTE_NAME_MAX })

/** Custom fields to merge into the stored fields. Null removes a key (DECISIONS.md "Contacts"). */
export const Attributes = JsonObject.refine(
  (fields) => Object.keys(fields).length <= ATTRIBUTES_MAX,
  `Must have at most ${ATTRIBUTES_MAX} fields.`,
).refine(
  (fields) => Object.keys(fields).every(isAttributeName),
  `Must have names of 1 to ${ATTRIBUTE_NAME_MAX} characters.`,
)

/** A BCP 47 tag, kept as written. Blank text becomes null, so that people can clear the field. */
const ContactLanguage = nullableText(LANGUAGE_TAG_MAX).refine(
  (tag) => tag === null || isLanguageTag(tag),
  'Must be a language tag, such as es or pt-BR.',
)

const changeable = {
  displayName: nullableText(NAME_MAX).optional(),
  language: ContactLanguage.optional(),
  tags: Tags.optional(),
  attributes: Attributes.optional(),
  optInStatus: z.enum(OPT_IN_STATUSES).optional(),
  optInSource: nullableText(OPT_IN_SOURCE_MAX).optional(),
}

/** The fields of a contact that a person can change (spec 4.4). */
export const ContactPatch = z.strictObject(changeable)
export type ContactPatch = z.output<typeof ContactPatch>

const OwnNumber = z.string().meta({
  description: "The contact's current phone number, in any spelling. A contact's number cannot be changed.",
})

/**
 * Body of `PATCH /contacts/{id}`: the changes, and the contact's number if a client sends back the contact it
 * read.
 */
export const ChangedContact = z.strictObject({
  phone: OwnNumber.optional(),
  e164: OwnNumber.optional(),
  ...changeable,
})
export type ChangedContact = z.output<typeof ChangedContact>

const PhoneInput = z
  .string()
  .meta({ description: 'A phone number in any common spelling.', example: '+919812345678' })

/** Body of `POST /contacts`: `phone`, or its other name `e164`. Both must be the same number. */
export const NewContact = z
  .strictObject({ phone: PhoneInput.optional(), e164: PhoneInput.optional(), ...changeable })
  .refine((body) => body.phone !== undefined || body.e164 !== undefined, {
    path: ['phone'],
    error: 'Required (or e164).',
  })
export type NewContact = z.output<typeof NewContact>

/** A contact in a response (spec 2.6). */
export const Contact = z
  .object({
    id: z.string(),
    e164: customerPhone(z.string()).meta({
      description: 'Phone number in E.164 with `+`, `chan:<user id>`, or `sx:<id>`.',
    }),
    phone: customerPhone(z.string()).meta({ description: 'The same as `e164`.' }),
    userId: z.string().nullable(),
    username: z.string().nullable(),
    displayName: customerName(z.string())
      .nullable()
      .meta({ description: 'Name that a person entered, otherwise the profile name.' }),
    language: z.string().nullable().meta({
      description:
        'Language of texts for the contact, such as `pt-BR`; null for the language of the workspace.',
    }),
    tags: z.array(z.string()),
    attributes: customerData(JsonObject),
    optInStatus: z.enum(OPT_IN_STATUSES),
    optInSource: z.string().nullable(),
    blocked: z.boolean(),
    channel: z.enum(['chat', 'social']),
    lastSeenAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Contact',
    description: 'A customer: one person with one number, for your whole team.',
    fields: {
      channel: 'Where the contact is known from: the chat network (`chat`) or the photo network (`social`).',
      lastSeenAt: 'When the contact last wrote, in UTC; null if never.',
      userId: "The network's own id of the contact; null if unknown.",
    },
  })

/** Body of `POST /contacts/{id}/merge`. */
export const MergeBody = z.strictObject({
  from: z.string().meta({
    description:
      "The contact that is merged into the contact in the path: Parley's id, its phone number in any spelling, or `chan:<user id>`.",
    example: '+551187654321',
  }),
})

/** The result for the merged contact. Its ids lead to the kept records. */
export const MergedContact = z
  .object({
    contactId: Id,
    phone: customerPhone(z.string()),
    leadId: Id.nullable().meta({
      description: 'Id of its lead that was merged into `keptLeadId`; null unless both had a lead.',
    }),
    keptLeadId: Id.nullable().meta({ description: 'Id of the lead of the kept contact.' }),
    conversations: z
      .array(z.object({ id: Id, keptId: Id }))
      .meta({ description: 'Its chats that were merged into other chats.' }),
    mergedAt: Instant,
  })
  .meta({
    fields: {
      'conversations.keptId': 'Id of the conversation that is kept.',
      mergedAt: 'When the contacts were merged, in UTC.',
    },
  })

/** A contact in events and conversations. */
export const ContactInEvent = z
  .object({
    id: Id,
    phone: customerPhone(z.string()),
    name: customerName(z.string()).nullable(),
    userId: z.string().nullable(),
    username: z.string().nullable(),
  })
  .meta({ fields: { id: 'Id of the contact.', name: 'Name of the contact; null if unknown.' } })
export type ContactInEvent = z.output<typeof ContactInEvent>

/** Returns the name to show: the name that a teammate set, then the profile name, then null. */
export const nameOf = (contact: Pick<ContactRow, 'displayName' | 'profileName'>): string | null =>
  contact.displayName ?? contact.profileName

/** Returns a stored contact in the form for events and conversations. */
export const contactInEvent = (contact: ContactRow): ContactInEvent => ({
  id: contact.id,
  phone: contact.phone,
  name: nameOf(contact),
  userId: contact.userId,
  username: contact.username,
})

/** Returns a stored contact in the form for responses. */
export const presentContact = (contact: ContactRow): z.input<typeof Contact> => ({
  id: contact.id,
  e164: contact.phone,
  phone: contact.phone,
  userId: contact.userId,
  username: contact.username,
  displayName: nameOf(contact),
  language: contact.language,
  tags: contact.tags,
  attributes: contact.attributes,
  optInStatus: contact.optInStatus,
  optInSource: contact.optInSource,
  blocked: contact.blocked,
  channel: contact.channel,
  lastSeenAt: contact.lastSeenAt && isoOf(contact.lastSeenAt),
  createdAt: isoOf(contact.createdAt),
  updatedAt: isoOf(contact.updatedAt),
})
