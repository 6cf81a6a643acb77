/** Contact cards (docs/formats.md section 2). */
import { z } from 'zod'
import { listOf, must, note, object, words } from './fields.ts'

/** Most cards of one message, as the operator publishes it. */
const CARDS_MAX = 5
const ENTRIES_MAX = 30
const LINE_MAX = 500

const line = note(LINE_MAX).optional()
/** HOME, WORK, CELL … */
const type = note(50).optional()

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

export const ContactsPayload = listOf(Card, 1, CARDS_MAX).meta({ id: 'ContactsPayload' })
