/** What the fields of foreign forms are called, and what they mean to us (docs/decisions/lead-capture.md). */
import { cutText } from '../../../core/cut-text.ts'
import { parsePhone } from '../../../core/phone.ts'
import { Email } from '../schema.ts'

/** A submission read: what we know by name, and the rest as it came. */
export type CapturedFields = {
  phone: string | null
  name: string | null
  email: string | null
  note: string | null
  source: string | null
  form: string | null
  /** utm_source, utm_medium …: where the person came from. */
  utm: Record<string, string>
  extra: Record<string, unknown>
}

/** What a field says of somebody. */
export type Meaning = 'phone' | 'name' | 'firstName' | 'lastName' | 'email' | 'note' | 'source' | 'form'

// Names are compared without case, spaces, dashes and underscores.
const NAMES: Record<Meaning, string[]> = {
  phone: [
    'phone',
    'phonenumber',
    'phoneno',
    'mobile',
    'mobilenumber',
    'mobileno',
    'tel',
    'telephone',
    'cell',
    'cellphone',
    'contactnumber',
    'contactno',
    'whatsapp',
    'whatsappnumber',
    'number',
    'sendermobile',
    'yourphone',
    'e164',
  ],
  name: ['name', 'fullname', 'yourname', 'contactname', 'customername', 'sendername', 'leadname'],
  firstName: ['firstname', 'fname', 'givenname', 'first'],
  lastName: ['lastname', 'lname', 'surname', 'familyname', 'last'],
  email: ['email', 'emailaddress', 'emailid', 'mail', 'youremail', 'senderemail'],
  note: [
    'message',
    'note',
    'notes',
    'comment',
    'comments',
    'enquiry',
    'inquiry',
    'query',
    'requirement',
    'requirements',
    'description',
    'details',
    'question',
    'yourmessage',
    'querymessage',
  ],
  source: ['source', 'leadsource'],
  form: ['form', 'formname', 'formid', 'formtitle'],
}
const MEANINGS = new Map<string, Meaning>(
  Object.entries(NAMES).flatMap(([meaning, names]) =>
    names.map((name) => [name, meaning as Meaning] as const),
  ),
)
/** Names that form builders make of a phone field: `tel-629`, `mobilephone`, `Customer Phone`. */
const PHONE_LIKE = /phone|mobile|whatsapp|(?<![a-z])(?:tel|mob|cell)(?![a-z])/i
const UTM = /^utm_?(source|medium|campaign|term|content|id)$/

/** Fields that are no part of an enquiry: the trap for robots, and where the browser is sent. */
export const HONEYPOT = '_gotcha'
export const REDIRECT = 'redirect'
const OURS = new Set([HONEYPOT, REDIRECT])

const MAX = { name: 200, note: 5000, source: 120, form: 200, utm: 200 }

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** What a field of this name means to us, if anything. */
export const meaningOf = (name: string): Meaning | undefined => MEANINGS.get(plainName(name))

/**
 * Reads a submission, whose numbers are national under `countryCode`. A field is taken for the first meaning it has; what
 * cannot be used as such is kept in `extra`, and so is what comes under one name after the first.
 */
export function readFields(values: Record<string, unknown>, countryCode: string): CapturedFields {
  const found = new Map<Meaning, string>()
  const utm: Record<string, string> = {}
  const extra: Record<string, unknown> = {}
  let noPhone: string | undefined
  const isTaken = (name: string, text: string): boolean => {
    const campaign = UTM.exec(name.toLowerCase().replaceAll('-', '_'))
    if (campaign) {
      const key = `utm_${campaign[1]}`
      if (utm[key] !== undefined) return false
      utm[key] = cutText(text, MAX.utm)
      return true
    }
    const meaning = meaningOf(name)
    if (meaning === undefined || found.has(meaning)) return false
    if (!isUsable(meaning, text, countryCode)) {
      if (meaning === 'phone') noPhone ??= text
      return false
    }
    found.set(meaning, text)
    return true
  }
  for (const [name, value] of Object.entries(values)) {
    if (OURS.has(name)) continue
    const all: unknown[] = Array.isArray(value) ? value : [value]
    const left = all.filter((one) => {
      const text = textOf(one)
      return text !== '' && (text === undefined || !isTaken(name, text))
    })
    if (left.length > 0) extra[name] = left.length === all.length ? value : onlyOrAll(left)
  }
  if (!found.has('phone')) {
    // Without a number the enquiry would be refused.
    const named = Object.keys(extra).find(
      (name) => PHONE_LIKE.test(name) && isUsable('phone', textOf(extra[name]) ?? '', countryCode),
    )
    if (named !== undefined) {
      found.set('phone', textOf(extra[named])!)
      delete extra[named]
    }
  }
  const parts = [found.get('firstName'), found.get('lastName')].filter((part) => part !== undefined)
  const whole = found.get('name') ?? (parts.length > 0 ? parts.join(' ') : null)
  return {
    phone: found.get('phone') ?? noPhone ?? null,
    name: whole === null ? null : cutText(whole, MAX.name),
    email: found.get('email') ?? null,
    note: found.has('note') ? cutText(found.get('note')!, MAX.note) : null,
    source: cutOrNull(found.get('source') ?? utm.utm_source, MAX.source),
    form: cutOrNull(found.get('form'), MAX.form),
    utm,
    extra,
  }
}

const onlyOrAll = (values: unknown[]): unknown => (values.length === 1 ? values[0] : values)

/** Texts and numbers are read; lists and objects are not ours to understand. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function isUsable(meaning: Meaning, text: string, countryCode: string): boolean {
  if (meaning === 'phone') return parsePhone(text, countryCode) !== undefined
  return meaning !== 'email' || Email.safeParse(text).success
}

const cutOrNull = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : cutText(text, max)
