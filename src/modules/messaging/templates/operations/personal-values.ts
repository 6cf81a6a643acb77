/**
 * Values of a template that differ for each recipient: a text parameter with `field` instead of `text`
 * (src/modules/messaging/broadcasts/DECISIONS.md "Personal values"). Pure.
 */
import type { Selectable } from 'kysely'
import { type Issue, invalid, Refusal } from '../../../../core/errors.ts'
import { cutText, isLonger } from '../../../../core/values/cut-text.ts'
import { isObject } from '../../../../core/values/storable.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { bodyMaxOf } from '../../../../operator/template-components/filled-text.ts'
import { HEADER_MAX, parameterFault } from '../../../../operator/template-components/parameter-text.ts'
import { partsOf } from '../../../../operator/template-components/parts.ts'
import type { StoredTemplate } from './find-for-send.ts'

type Json = Record<string, unknown>

/**
 * A value in the template. `path`: of its parameter, such as `components[0].parameters[0]`. `max`: the characters that
 * fit. `inAddress`: it ends an address.
 */
export type PersonalValue = {
  path: string
  field: string
  fallback: string | null
  max: number
  inAddress: boolean
}

/** The content of a campaign with a mark in place of each personal value, and the values in the order of their marks. */
export type PersonalContent = { content: Json; text: string | null; values: PersonalValue[] }

/** The facts about a recipient that fill the values. */
export type PersonalContact = Pick<
  Selectable<Tables['contacts']>,
  'id' | 'phone' | 'displayName' | 'profileName' | 'attributes'
>

const ATTRIBUTE = 'contact.attributes.'
const FIELDS = `Must be contact.name, contact.phone, or ${ATTRIBUTE}<key>.`
const FIELD_MAX = 120
const FALLBACK_MAX = 200
/** The most characters of a value where the place sets no other limit. */
const VALUE_MAX = 200
/** A mark is a code point of a private plane, which no text of a template contains. */
const FIRST_MARK = 0xf0000
const MARK = /[\u{f0000}-\u{f0fff}]/gu

const markOf = (index: number): string => String.fromCodePoint(FIRST_MARK + index)
const indexOf = (mark: string): number => mark.codePointAt(0)! - FIRST_MARK
const lengthOf = (text: string): number => Array.from(text).length

const isField = (field: unknown): field is string =>
  typeof field === 'string' &&
  field.length <= FIELD_MAX &&
  (field === 'contact.name' ||
    field === 'contact.phone' ||
    (field.startsWith(ATTRIBUTE) && field.length > ATTRIBUTE.length))

/** Returns the key of a custom field; undefined for the fields that every contact has. */
export const attributeOf = (field: string): string | undefined =>
  field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : undefined

const isPersonal = (value: Json): boolean => Object.hasOwn(value, 'field')

/** Returns the fault of a parameter with a field, and the name of the wrong part. */
function faultOf({ type, text, field, fallback }: Json): { part: string; message: string } | undefined {
  if (type !== 'text') return { part: 'field', message: 'Only a parameter of type text can have a field.' }
  if (text !== undefined) return { part: 'text', message: 'Must be left out with field.' }
  if (!isField(field)) return { part: 'field', message: FIELDS }
  if (fallback === undefined) return undefined
  if (typeof fallback !== 'string') return { part: 'fallback', message: 'Must be a string.' }
  if (fallback.length > FALLBACK_MAX)
    return { part: 'fallback', message: `Must be at most ${FALLBACK_MAX} characters.` }
  const fault = parameterFault(fallback)
  return fault === undefined ? undefined : { part: 'fallback', message: `The fallback ${fault}.` }
}

type Found = { values: Omit<PersonalValue, 'max'>[]; issues: Issue[] }

/** Returns a copy with a mark as the text of each personal parameter. Adds the values and faults to `found`. */
function marked(value: unknown, path: string, inAddress: boolean, found: Found): unknown {
  if (Array.isArray(value)) return value.map((item, i) => marked(item, `${path}[${i}]`, inAddress, found))
  if (!isObject(value)) return value
  if (isPersonal(value)) {
    const fault = faultOf(value)
    if (fault) found.issues.push({ path: `${path}.${fault.part}`, message: fault.message })
    const { field, fallback, ...others } = value
    found.values.push({ path, field: String(field), fallback: (fallback as string) ?? null, inAddress })
    return { ...others, text: markOf(found.values.length - 1) }
  }
  const isButton = inAddress || (typeof value.type === 'string' && value.type.toLowerCase() === 'button')
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, marked(item, `${path}.${name}`, isButton, found)]),
  )
}

/**
 * Returns the components with marks, and their values without limits; or why they are invalid. `at`: the path of the
 * object that has the components.
 */
export function markComponents(
  components: Json[],
  at: string,
): { components: Json[]; values: Omit<PersonalValue, 'max'>[] } | Refusal {
  const found: Found = { values: [], issues: [] }
  const copies = marked(components, 'components', false, found) as Json[]
  if (found.issues.length === 0) return { components: copies, values: found.values }
  const { message, details } = invalid(
    found.issues.map((issue) => ({ ...issue, path: `${at}.${issue.path}` })),
  )
  return new Refusal('invalid_template_parameters', message, details)
}

/** Returns the fields of the components, such as `contact.name`. */
export function personalFieldsIn(value: unknown): { field: string; fallback: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(personalFieldsIn)
  if (!isObject(value)) return []
  if (isPersonal(value)) return [{ field: String(value.field), fallback: value.fallback }]
  return Object.values(value).flatMap(personalFieldsIn)
}

/** Returns the fields without a fallback, each once: contacts without them are left out. */
export const requiredFieldsIn = (components: Json[]): string[] => [
  ...new Set(
    personalFieldsIn(components).flatMap(({ field, fallback }) => (fallback === undefined ? [field] : [])),
  ),
]

const marksIn = (text: string): string[] => text.match(MARK) ?? []

/** Returns the marks in the component of a kind. */
const marksOfKind = (content: Json, kind: string): Set<string> => {
  const components = Array.isArray(content.components) ? content.components.filter(isObject) : []
  return new Set(
    components.flatMap((component) =>
      String(component.type).toLowerCase() === kind ? marksIn(JSON.stringify(component)) : [],
    ),
  )
}

/** Returns the content with limits for its values, so that the filled header and body are never too long. */
export function limitValues(
  { components }: Pick<StoredTemplate, 'components'>,
  { content, text, values }: { content: Json; text: string | null; values: Omit<PersonalValue, 'max'>[] },
): PersonalContent {
  const parts = partsOf(components)
  const bodyMax = bodyMaxOf(parts)
  const headerText = parts.header?.format === 'TEXT' ? parts.header.text : ''
  const inBody = marksIn(text ?? '')
  const bodyRoom = inBody.length === 0 ? 0 : (bodyMax - lengthOf(text!) + inBody.length) / inBody.length
  const inHeader = marksOfKind(content, 'header')
  const headerRoom = HEADER_MAX - lengthOf(headerText.replaceAll(/\{\{[^{}]*\}\}/g, ''))
  const maxOf = (index: number): number => {
    const mark = markOf(index)
    const room = inBody.includes(mark) ? bodyRoom : inHeader.has(mark) ? headerRoom : VALUE_MAX
    return Math.max(1, Math.min(VALUE_MAX, Math.floor(room)))
  }
  return { content, text, values: values.map((value, i) => ({ ...value, max: maxOf(i) })) }
}

const textOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''

/** Returns the field of a contact as text; empty if it has none. */
function readField(contact: PersonalContact, field: string): string {
  if (field === 'contact.name') return contact.displayName?.trim() || contact.profileName || ''
  if (field === 'contact.phone') return contact.phone.startsWith('+') ? contact.phone : ''
  const attributes = isObject(contact.attributes) ? contact.attributes : {}
  const key = attributeOf(field)!
  return Object.hasOwn(attributes, key) ? textOf(attributes[key]) : ''
}

/** Returns a text that the operator accepts as a value: in one line, and not too long. */
function fitValue(text: string, { max, inAddress }: PersonalValue): string {
  const line = text.replaceAll(MARK, '').replaceAll(/\s+/g, ' ').trim()
  const cut = isLonger(line, max) ? `${cutText(line, max - 1)}…` : line
  return inAddress ? encodeURIComponent(cut) : cut
}

const replaceMarks = (value: unknown, texts: readonly string[]): unknown => {
  if (typeof value === 'string') return value.replaceAll(MARK, (mark) => texts[indexOf(mark)] ?? mark)
  if (Array.isArray(value)) return value.map((item) => replaceMarks(item, texts))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceMarks(item, texts)]))
}

/** Content for one recipient, and its body as the customer reads it. */
export type FilledContent = { content: Json; text: string | null }

const fillWith = ({ content, text }: PersonalContent, texts: readonly string[]): FilledContent => ({
  content: replaceMarks(content, texts) as Json,
  text: replaceMarks(text, texts) as string | null,
})

/** Returns the content for a contact, with its values; undefined if a field without a fallback is empty. */
export function fillPersonal(
  personal: PersonalContent,
  contact: PersonalContact,
): (FilledContent & { texts: readonly string[] }) | undefined {
  const texts = personal.values.map(
    (value) =>
      fitValue(readField(contact, value.field), value) || (value.fallback && fitValue(value.fallback, value)),
  )
  return texts.every((text): text is string => Boolean(text))
    ? { ...fillWith(personal, texts), texts }
    : undefined
}

/** The value of a field without a fallback in the content for any recipient. */
const NO_FALLBACK = '-'

/** Returns the content with the fallbacks, which fits any recipient. */
export const fillFallbacks = (personal: PersonalContent): FilledContent =>
  fillWith(
    personal,
    personal.values.map(({ fallback }) => fallback ?? NO_FALLBACK),
  )
