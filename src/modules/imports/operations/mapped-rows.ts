/** What a row says of a contact or a lead, by the columns that a person mapped. */
import type { z } from 'zod'
import { startOfDay } from '../../../core/calendar.ts'
import { cutText } from '../../../core/cut-text.ts'
import type { Issue, Refusal } from '../../../core/errors.ts'
import { issuesOf } from '../../../core/issues.ts'
import { AttributeName, NewContact } from '../../contacts/schema.ts'
import type { FieldType } from '../../contacts/settings-schema.ts'
import { Email, NewLead } from '../../crm/schema.ts'
import { ATTRIBUTE, FIELDS_OF, type ImportKind, type Mapping, PHONE_FIELDS } from '../schema.ts'
import { type ChosenNumber, chooseNumber, shown } from './cells/choose-number.ts'
import type { ColumnDates, ColumnNumbers } from './cells/column-formats.ts'
import { dateIn } from './cells/date-cell.ts'
import { numberIn } from './cells/number-cell.ts'
import { unguarded } from './cells/unguarded.ts'
import { spelled } from './known-columns.ts'

/** A column of the file: its place among the cells of a row, and its name. */
export type Column = { place: number; name: string }

/** How the rows of a file are read. */
export type RowReading = {
  /** Columns in the order of preference, each with the column of its labels. */
  phones: (Column & { label: Column | undefined })[]
  country: Column | undefined
  /** Columns by field, in the order of the file; without the phone columns. */
  fields: (Column & { field: string; numbers: ColumnNumbers; dates: ColumnDates })[]
  constants: Record<string, string>
  timezone: string
  countryCode: string
  thisYear: number
  /** What custom fields were declared to hold, by key. */
  types: ReadonlyMap<string, FieldType>
  /** Whether all of a row is kept: an unusable e-mail becomes a custom field, and long texts are cut. Else such a row is refused. */
  keepsAll: boolean
  /** The source of a lead that names none. */
  campaign: Column | undefined
}

/** Why a cell cannot be read. */
class Unreadable extends Error {}

const NOTHING = /^(?:n[/.]?a\.?|none|nil|null|nan|undefined|#n\/a|[-–—?.]+)$/i
const YES = new Set(['yes', 'y', 'true', '1', 'on'])
const NO = new Set(['no', 'n', 'false', '0', 'off'])
const OPTED_IN = new Set([...YES, 'optedin', 'optin', 'subscribed', 'granted'])
const OPTED_OUT = new Set([...NO, 'optedout', 'optout', 'unsubscribed', 'denied'])
/** Groups that address books put everybody in. */
const EVERYBODYS_GROUPS = /^\*\s*(?:mycontacts|starred)$/i

const tagsIn = (text: string): string[] =>
  text
    .split(/:::|[,;|]/)
    .map((item) => item.trim())
    .filter((item) => !EVERYBODYS_GROUPS.test(item))
    .map((item) => item.replace(/^\*\s+/, ''))
    .filter((item) => item !== '')

function consentOf(text: string, { name }: { name: string }): string {
  const said = spelled(text)
  if (OPTED_IN.has(said)) return 'opted_in'
  if (OPTED_OUT.has(said)) return 'opted_out'
  if (said === 'unknown') return 'unknown'
  throw new Unreadable(`${name}: ${shown(text)} isn't yes or no.`)
}

/** The first usable address of a cell; address books join several. */
const emailIn = (text: string): string | undefined =>
  text
    .split(/:::|[,;\s]+/)
    .map((part) => part.replace(/^mailto:|[<>]/gi, '').trim())
    .find((part) => Email.safeParse(part).success)

type Field = RowReading['fields'][number]

function numberOf(text: string, { name, numbers }: Field): number {
  const value = numberIn(text, numbers)
  if (value === undefined) throw new Unreadable(`${name}: ${shown(text)} isn't a number.`)
  if (typeof value === 'number') return value
  throw new Unreadable(
    `${name}: ${shown(text)} can be ${value.either.join(' or ')}. Choose the number format of this column.`,
  )
}

const inWords = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function dateOf(text: string, { name, dates }: Field, { timezone, thisYear }: RowReading) {
  const value = dateIn(text, { order: dates.order, timezone, thisYear })
  if (value === undefined) throw new Unreadable(`${name}: ${shown(text)} isn't a date.`)
  if (!('either' in value)) return value
  throw new Unreadable(
    `${name}: ${shown(text)} can be ${value.either.map(inWords).join(' or ')}. Choose the date format of this column.`,
  )
}

/** The text as the field's type has it; what does not fit stays as it is, and is refused by the operation. */
function attributeOf(text: string, field: Field, reading: RowReading): unknown {
  const type = reading.types.get(field.field.slice(ATTRIBUTE.length))
  if (type === 'number') return numberOf(text, field)
  if (type === 'date') {
    const date = dateOf(text, field, reading)
    return 'day' in date ? date.day : date.at.toISOString()
  }
  if (type !== 'boolean') return text
  const said = text.trim().toLowerCase()
  if (YES.has(said)) return true
  return NO.has(said) ? false : text
}

const MAX_LENGTHS: Record<string, number> = { name: 200, displayName: 200, source: 120, note: 5000 }

function fieldValue(text: string, field: Field, reading: RowReading): unknown {
  const { field: target } = field
  if (target.startsWith(ATTRIBUTE)) return attributeOf(text, field, reading)
  if (target === 'tags') return tagsIn(text)
  if (target === 'rating' || target === 'dealValue') return numberOf(text, field)
  if (target === 'email') return emailIn(text) ?? text
  if (target === 'optInStatus') return consentOf(text, field)
  if (target === 'nextFollowUpAt') {
    const date = dateOf(text, field, reading)
    return ('day' in date ? startOfDay(date.day, reading.timezone) : date.at)?.toISOString() ?? text
  }
  const max = reading.keepsAll ? MAX_LENGTHS[target] : undefined
  return max === undefined ? text : cutText(text, max)
}

const isTyped = ({ field }: Field, { types }: RowReading): boolean =>
  ['rating', 'dealValue', 'email', 'nextFollowUpAt'].includes(field) ||
  ['number', 'date', 'boolean'].includes(types.get(field.slice(ATTRIBUTE.length)) ?? '')

type Values = Record<string, unknown>

const PLAIN_NUMBERS: ColumnNumbers = { decimals: 'point', isProven: true, basis: 'chosen' }
const PLAIN_DATES: ColumnDates = { order: null, basis: 'chosen' }

/** Values by field of ours: those that hold for every row, and over them the row's own. Tags add up. */
function valuesOf(cells: readonly string[], reading: RowReading): Values {
  const values: Values = {}
  for (const [field, text] of Object.entries(reading.constants)) {
    const constant = { place: -1, name: field, field, numbers: PLAIN_NUMBERS, dates: PLAIN_DATES }
    values[field] = fieldValue(text, constant, reading)
  }
  for (const column of reading.fields) {
    const text = unguarded(cells[column.place] ?? '')
    if (text === '' || (isTyped(column, reading) && NOTHING.test(text))) continue
    const value = fieldValue(text, column, reading)
    if (column.field === 'tags')
      values.tags = [...((values.tags as string[] | undefined) ?? []), ...(value as string[])]
    else if (column.field === 'email' && reading.keepsAll && !Email.safeParse(value).success)
      values[ATTRIBUTE + column.name] = text
    else values[column.field] = value
  }
  return values
}

/** The number of a row, or why it has none. */
export function numberOfRow(cells: readonly string[], reading: RowReading): ChosenNumber {
  const cellAt = (column: Column | undefined): string => (column && cells[column.place]) ?? ''
  return chooseNumber(
    reading.phones.map((column) => ({
      column: column.name,
      cell: cellAt(column),
      label: cellAt(column.label),
    })),
    { column: reading.country?.name ?? null, cell: unguarded(cellAt(reading.country)) },
    reading.countryCode,
  )
}

const joined = (parts: unknown[]): string | undefined =>
  parts.filter((part) => typeof part === 'string').join(' ') || undefined

/** The values of a row by field, with the halves of a name put together, or why one cannot be read. */
export function rowValues(cells: readonly string[], reading: RowReading, nameField: string): Values | string {
  try {
    const { firstName, lastName, ...values } = valuesOf(cells, reading)
    const name = values[nameField] ?? joined([firstName, lastName])
    return { ...values, ...(name === undefined ? {} : { [nameField]: name }) }
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

function bodyOf(cells: readonly string[], reading: RowReading, nameField: string): Values | string {
  const number = numberOfRow(cells, reading)
  const values = rowValues(cells, reading, nameField)
  // All that is wrong with a row, so that it is corrected once.
  const reasons = [
    ...('reason' in number ? [number.reason] : []),
    ...(typeof values === 'string' ? [values] : []),
  ]
  if (reasons.length > 0 || 'reason' in number || typeof values === 'string') return reasons.join(' ')
  const body: Values = { phone: number.text }
  const attributes: Values = {}
  for (const [field, value] of Object.entries(values)) {
    if (field.startsWith(ATTRIBUTE)) attributes[field.slice(ATTRIBUTE.length)] = value
    else body[field] = value
  }
  return Object.keys(attributes).length > 0 ? { ...body, attributes } : body
}

/** The body, or why there is none. */
function checked<Body>(schema: z.ZodType<Body>, body: Values | string, reading: RowReading): Body | string {
  if (typeof body === 'string') return body
  if (JSON.stringify(body).includes('\\u0000')) return 'holds NUL'
  const parsed = schema.safeParse(body)
  return parsed.success ? parsed.data : inColumns(issuesOf(parsed.error, schema), reading)
}

export const mappedContact = (cells: readonly string[], reading: RowReading): NewContact | string =>
  checked(NewContact, bodyOf(cells, reading, 'displayName'), reading)

export function mappedLead(cells: readonly string[], reading: RowReading): NewLead | string {
  const source = reading.campaign && cells[reading.campaign.place]
  const constants = source ? { ...reading.constants, source: cutText(source, 120) } : reading.constants
  return checked(NewLead, bodyOf(cells, { ...reading, constants }, 'name'), reading)
}

/** What is wrong with a row, by the columns of the file where they are known. */
function inColumns(issues: readonly Issue[], { fields, phones }: RowReading): string {
  const named = issues.map(({ path, message }) => {
    const [, root = path] = /^([^[]+)/.exec(path) ?? []
    const column =
      root === 'phone'
        ? phones[0]?.name
        : fields.find(({ field }) => field === root || root.startsWith(`${field}.`))?.name
    return `${column ?? path}: ${message}`
  })
  return named.join('; ')
}

/** A refusal of the operation in the words of the file. */
export const refusalInColumns = ({ message, details }: Refusal, reading: RowReading): string =>
  details.issues === undefined ? message : inColumns(details.issues as Issue[], reading)

/** Why the mapping cannot be used, by the column that is wrong. */
export function mappingIssues(
  mapping: Mapping,
  { kind, columns }: { kind: ImportKind; columns: readonly string[] },
): Issue[] {
  const fields: readonly string[] = FIELDS_OF[kind]
  const taken = new Map<string, string>()
  const issues = Object.entries(mapping).flatMap(([column, field]) => {
    const path = `mapping.${column}`
    const before = taken.get(field)
    taken.set(field, column)
    if (!columns.includes(column)) return [{ path, message: 'is no column of the file' }]
    if (!fields.includes(field) && !isAttribute(field))
      return [{ path, message: `must be one of ${fields.join(', ')}, or ${ATTRIBUTE}NAME` }]
    return before === undefined ? [] : [{ path, message: `is ${field}, which "${before}" is already` }]
  })
  if (!PHONE_FIELDS.some((field) => taken.has(field)))
    issues.push({ path: 'mapping', message: `must say which column is the phone number of the ${kind}` })
  return issues
}

export const isAttribute = (field: string): boolean =>
  field.startsWith(ATTRIBUTE) && AttributeName.safeParse(field.slice(ATTRIBUTE.length)).success
