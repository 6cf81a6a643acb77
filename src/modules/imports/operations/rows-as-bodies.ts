/** What a row of a file says of a lead or a contact: columns by our names in any spelling, others as custom fields. */
import type { z } from 'zod'
import { startOfDay } from '../../../core/calendar.ts'
import { issuesOf } from '../../../core/issues.ts'
import { hasLostDigits } from '../../../core/phone-text.ts'
import { writtenNumber } from '../../../core/written-number.ts'
import { NewContact } from '../../contacts/schema.ts'
import { readFields } from '../../crm/operations/capture-fields.ts'
import { NewLead } from '../../crm/schema.ts'
import { CONTACT_FIELDS, LEAD_FIELDS } from '../schema.ts'

/** Fields of ours by the column that a person said for them. */
export type ColumnMap = Map<string, string>
type Values = Record<string, string>
export type Reading = {
  timezone: string
  countryCode: string
  columns: ColumnMap
  source: string | undefined
}

const LISTED = new Set(['tags'])
const NUMBERS = new Set(['rating', 'dealValue'])
const DAYS = new Set(['nextFollowUpAt'])
/** A name without case, blanks and signs. */
export const spelled = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** What our own CSV has an apostrophe before, so that no spreadsheet takes it for a formula (core/csv.ts). */
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠])/

/** What spreadsheets read as text, digits and all: `="919812345678"`. */
const AS_TEXT = /^="([^"]*)"$/

/** What people put before a number so that a spreadsheet keeps its digits: `'919812345678`. */
const KEPT_DIGITS = /^'(?=[\s().-]*\d[\d\s().-]*$)/

/** What the photo network's lead forms put before a number in their files: `p:+919812345678`. */
const MARKED = /^p:(?=\s*\+?\d)/

/** A cell as it was before our own CSV, or whoever meant a spreadsheet to keep its digits, guarded it. */
export const unguarded = (cell: string): string =>
  cell.replace(GUARDED, '').replace(KEPT_DIGITS, '').replace(AS_TEXT, '$1').replace(MARKED, '')

/** Values under our names, and the rest; a column that was said for a field goes before one that is called so. */
function byOurNames(values: Values, fields: readonly string[], columns: ColumnMap): [Values, Values] {
  const known: Values = {}
  const rest: Values = {}
  const said = new Map([...columns].map(([field, column]) => [column, field]))
  for (const [column, cell] of Object.entries(values)) {
    const value = unguarded(cell)
    if (value === '') continue
    const field =
      said.get(column) ?? fields.find((one) => spelled(one) === spelled(column) && !columns.has(one))
    if (field === undefined) rest[column] = value
    else known[field] = value
  }
  return [known, rest]
}

function typedValue(field: string, text: string, timezone: string): unknown {
  if (LISTED.has(field))
    return text
      .split(/[,;|]/)
      .map((item) => item.trim())
      .filter((item) => item !== '')
  if (NUMBERS.has(field)) return writtenNumber(text) ?? text
  return DAYS.has(field) ? (startOfDay(text, timezone)?.toISOString() ?? text) : text
}

export const typed = (values: Values, timezone: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([field, text]) => [field, typedValue(field, text, timezone)]),
  )

/** The body, or why there is none. */
export function checked<Body>(schema: z.ZodType<Body>, body: Record<string, unknown>): Body | string {
  if (JSON.stringify(body).includes('\\u0000')) return 'holds NUL'
  const shortened = [body.phone, body.e164].find(
    (one): one is string => typeof one === 'string' && hasLostDigits(one),
  )
  if (shortened !== undefined)
    return `phone: a spreadsheet has shortened the number to ${shortened}. Format the column as text there, with all digits, and export it again`
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  return issuesOf(parsed.error, schema)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ')
}

export function leadOf(
  values: Values,
  { timezone, countryCode, columns, source }: Reading,
): NewLead | string {
  const [known, rest] = byOurNames(values, LEAD_FIELDS, columns)
  const { phone, name, email, note, source: came, utm, extra } = readFields(rest, countryCode)
  const guessed = { phone, name, email, note, source: came ?? source ?? null }
  const attributes = { ...utm, ...extra }
  return checked(NewLead, {
    ...Object.fromEntries(Object.entries(guessed).filter(([, value]) => value !== null)),
    ...typed(known, timezone),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
  })
}

export function contactOf(values: Values, { timezone, countryCode, columns }: Reading): NewContact | string {
  const [known, rest] = byOurNames(values, CONTACT_FIELDS, columns)
  const { phone, name, email, note, source, form, utm, extra } = readFields(rest, countryCode)
  const reported = { email, note, source, form }
  const attributes = {
    ...Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== null)),
    ...utm,
    ...extra,
  }
  return checked(NewContact, {
    ...(phone === null ? {} : { phone }),
    ...(name === null ? {} : { displayName: name }),
    ...typed(known, timezone),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
  })
}
