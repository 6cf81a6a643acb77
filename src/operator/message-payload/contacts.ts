/** Contact cards (docs/formats.md section 2). */
import { z } from 'zod'
import { listOf, must, object, optionalText, words } from './fields.ts'

/** Maximum number of cards in one message, as published by the operator. */
const CARDS_MAX = 5
const ENTRIES_MAX = 30
const LINE_MAX = 500

const line = optionalText(LINE_MAX).optional()
/** HOME, WORK, CELL … */
const type = optionalText(50).optional()

const nameParts = ['first_name', 'last_name', 'middle_name', 'suffix', 'prefix'] as const

const Name = object({
  formatted_name: words(LINE_MAX),
  first_name: line,
  last_name: line,
  middle_name: line,
  suffix: line,
  prefix: line,
}).refine((name) => nameParts.some((part) => name[part]?.trim()), {
  error: `Must have one of ${nameParts.join(', ')} in addition to formatted_name.`,
  params: { fault: 'missing' },
})

const Card = object({
  name: Name,
  phones: listOf(
    object({ phone: words(50).optional(), type, wa_id: words(30).optional() }),
    0,
    ENTRIES_MAX,
  ).optional(),
  emails: listOf(
    object({
      email: words(320)
        .regex(/^\S+@\S+$/, 'Must be an email address.')
        .optional(),
      type,
    }),
    0,
    ENTRIES_MAX,
  ).optional(),
  addresses: listOf(
    object({ street: line, city: line, state: line, zip: line, country: line, country_code: line, type }),
    0,
    ENTRIES_MAX,
  ).optional(),
  urls: listOf(object({ url: words(2000).optional(), type }), 0, ENTRIES_MAX).optional(),
  org: object({ company: line, department: line, title: line }).optional(),
  birthday: z.iso.date(must('a date as YYYY-MM-DD')).optional(),
})

export const ContactsPayload = listOf(Card, 1, CARDS_MAX).meta({
  id: 'ContactsPayload',
  description: 'Contact cards, 1 to 5.',
  fields: {
    'name.first_name': 'First name.',
    name: 'Name of the contact.',
    'name.formatted_name': 'Full name, as it is shown.',
    'name.last_name': 'Last name.',
    'name.middle_name': 'Middle name.',
    'name.suffix': 'Suffix of the name, such as `Jr.`.',
    'name.prefix': 'Prefix of the name, such as `Dr.`.',
    phones: 'Phone numbers.',
    'phones.type': 'Kind of number, such as `CELL` or `WORK`.',
    'phones.wa_id': "The contact's user id on the network, if known.",
    emails: 'Email addresses.',
    'emails.type': 'Kind of address, such as `WORK`.',
    addresses: 'Postal addresses.',
    'addresses.street': 'Street and number.',
    'addresses.state': 'State or province.',
    'addresses.zip': 'Postal code.',
    'addresses.country': 'Name of the country.',
    'addresses.country_code': 'Country code (ISO 3166-1 alpha-2), such as `IN`.',
    'addresses.type': 'Kind of address, such as `HOME`.',
    urls: 'Web addresses.',
    'urls.url': 'Web address.',
    'urls.type': 'Kind of web address, such as `WORK`.',
    org: 'Company of the contact.',
    'org.company': 'Name of the company.',
    'org.department': 'Department.',
    'org.title': 'Job title.',
    birthday: 'Birthday, such as `1990-05-17`.',
  },
})
