/** What a row says of a contact or a lead, by the columns that a person mapped. */
import { parsePhone } from '../../../core/phone.ts'
import { writtenNumber } from '../../../core/written-number.ts'
import { AttributeName, NewContact } from '../../contacts/schema.ts'
import type { FieldType } from '../../contacts/settings-schema.ts'
import { NewLead } from '../../crm/schema.ts'
import { ATTRIBUTE, type ImportKind, type Mapping } from '../schema.ts'
import { checked, spelled, typed, unguarded } from './rows-as-bodies.ts'

export type RowReading = {
  mapping: Mapping
  constants: Record<string, string>
  timezone: string
  countryCode: string
  /** What custom fields were declared to hold, by key. */
  types: ReadonlyMap<string, FieldType>
}

type Cells = Record<string, string>

/** Texts by field of ours: those that hold for every row, and over them the row's own. Tags add up. */
function textsOf(cells: Cells, { mapping, constants }: RowReading): Cells {
  const texts: Cells = { ...constants }
  for (const [column, field] of Object.entries(mapping)) {
    const text = unguarded(cells[column] ?? '')
    if (text === '') continue
    texts[field] = field === 'tags' && texts.tags !== undefined ? `${texts.tags},${text}` : text
  }
  return texts
}

const YES = new Set(['yes', 'y', 'true', '1', 'on'])
const NO = new Set(['no', 'n', 'false', '0', 'off'])
const OPTED_IN = new Set([...YES, 'optedin', 'optin', 'subscribed', 'granted'])
const OPTED_OUT = new Set([...NO, 'optedout', 'optout', 'unsubscribed', 'denied'])

function consentOf(text: string): string {
  const said = spelled(text)
  if (OPTED_IN.has(said)) return 'opted_in'
  return OPTED_OUT.has(said) ? 'opted_out' : said
}

/** The text as the field's type has it; what does not fit stays as it is, and is refused by name. */
function attributeOf(text: string, type: FieldType | undefined): unknown {
  if (type === 'number') return writtenNumber(text) ?? text
  if (type !== 'boolean') return text
  const said = text.trim().toLowerCase()
  if (YES.has(said)) return true
  return NO.has(said) ? false : text
}

function fieldsOf(cells: Cells, reading: RowReading): { known: Cells; attributes: Record<string, unknown> } {
  const known: Cells = {}
  const attributes: Record<string, unknown> = {}
  for (const [field, text] of Object.entries(textsOf(cells, reading))) {
    const key = field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : undefined
    if (key === undefined) known[field] = text
    else attributes[key] = attributeOf(text, reading.types.get(key))
  }
  return { known, attributes }
}

const joined = (parts: (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join(' ') || undefined

function bodyOf(cells: Cells, reading: RowReading, nameField: string): Record<string, unknown> {
  const { known, attributes } = fieldsOf(cells, reading)
  const { firstName, lastName, optInStatus, ...rest } = known
  const name = rest[nameField] ?? joined([firstName, lastName])
  return {
    ...typed(rest, reading.timezone),
    ...(name === undefined ? {} : { [nameField]: name }),
    ...(optInStatus === undefined ? {} : { optInStatus: consentOf(optInStatus) }),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
  }
}

export const mappedContact = (cells: Cells, reading: RowReading): NewContact | string =>
  checked(NewContact, bodyOf(cells, reading, 'displayName'))

export const mappedLead = (cells: Cells, reading: RowReading): NewLead | string =>
  checked(NewLead, bodyOf(cells, reading, 'name'))

/** The number that a row is about, where it has one. */
export function phoneOfRow(cells: Cells, reading: RowReading): string | null {
  const { phone } = textsOf(cells, reading)
  return (phone !== undefined && parsePhone(phone, reading.countryCode)) || null
}

/** Why the mapping cannot be used, by the column that is wrong. */
export function mappingIssues(
  mapping: Mapping,
  { kind, columns, fields }: { kind: ImportKind; columns: readonly string[]; fields: readonly string[] },
): { path: string; message: string }[] {
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
  if (!taken.has('phone'))
    issues.push({ path: 'mapping', message: `must say which column is the phone number of the ${kind}` })
  return issues
}

export const isAttribute = (field: string): boolean =>
  field.startsWith(ATTRIBUTE) && AttributeName.safeParse(field.slice(ATTRIBUTE.length)).success
