/** Converts a row to a contact or a lead, by the mapped columns. */
import type { z } from 'zod'
import type { Issue, Refusal } from '../../../../core/errors.ts'
import { issuesOf } from '../../../../core/issues.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { AttributeName, NewContact } from '../../../messaging/contacts/schema.ts'
import { NewLead } from '../../../selling/crm/schema.ts'
import { ATTRIBUTE, FIELDS_OF, type ImportKind, type Mapping, PHONE_FIELDS } from '../schema.ts'
import { type ChosenNumber, chooseNumber, NOT_A_NUMBER } from './cells/choose-number.ts'
import { unguarded } from './cells/strip-guards.ts'
import { type Column, type RowReading, type RowValues, type Values, valuesOf } from './field-values.ts'

/** Returns the number of a row, or why it has none. */
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

/** Returns the values of a row by field, with first and last name joined. */
export function rowValues(cells: readonly string[], reading: RowReading, nameField: string): RowValues {
  const { values: read, reasons } = valuesOf(cells, reading)
  const { firstName, lastName, ...values } = read
  const name = values[nameField] ?? joined([firstName, lastName])
  return { values: { ...values, ...(name === undefined ? {} : { [nameField]: name }) }, reasons }
}

function bodyOf(cells: readonly string[], reading: RowReading, nameField: string): Values | string {
  const number = numberOfRow(cells, reading)
  const { values, reasons } = rowValues(cells, reading, nameField)
  // All errors of a row, so that it can be corrected in one pass.
  if (!('text' in number)) return [number.reason, ...reasons].join(' ')
  if (reasons.length > 0) return reasons.join(' ')
  const body: Values = { phone: number.text }
  const attributes: Values = {}
  for (const [field, value] of Object.entries(values)) {
    if (field.startsWith(ATTRIBUTE)) attributes[field.slice(ATTRIBUTE.length)] = value
    else body[field] = value
  }
  return Object.keys(attributes).length > 0 ? { ...body, attributes } : body
}

/** Returns the body, or its errors. */
function validate<Body>(schema: z.ZodType<Body>, body: Values | string, reading: RowReading): Body | string {
  if (typeof body === 'string') return body
  if (JSON.stringify(body).includes('\\u0000')) return 'Must not contain NUL.'
  const parsed = schema.safeParse(body)
  return parsed.success ? parsed.data : inColumns(issuesOf(parsed.error, schema), reading)
}

export const mappedContact = (cells: readonly string[], reading: RowReading): NewContact | string =>
  validate(NewContact, bodyOf(cells, reading, 'displayName'), reading)

export function mappedLead(cells: readonly string[], reading: RowReading): NewLead | string {
  const source = reading.campaign && cells[reading.campaign.place]
  const constants = source ? { ...reading.constants, source: cutText(source, 120) } : reading.constants
  return validate(NewLead, bodyOf(cells, { ...reading, constants }, 'name'), reading)
}

/** Rewrites the operation's refusal of a number in the words of the earlier checks. */
const rewordRefusal = (message: string): string =>
  message.replace(
    /^Must be a phone number .*, not (".*")\.$/s,
    (_, cell: string) => `${cell} ${NOT_A_NUMBER}`,
  )

/** Returns the errors of a row, with the file's columns if known. */
function inColumns(issues: readonly Issue[], { fields, phones }: RowReading): string {
  const sentences = issues.map(({ path, message }) => {
    const [, root = path] = /^([^[]+)/.exec(path) ?? []
    const column =
      root === 'phone'
        ? phones[0]?.name
        : fields.find(({ field }) => field === root || root.startsWith(`${field}.`))?.name
    return `${column ?? path}: ${rewordRefusal(message)}`
  })
  return sentences.join(' ')
}

/** Returns an operation's refusal with the file's column names. */
export const refusalInColumns = ({ message, details }: Refusal, reading: RowReading): string =>
  details.issues === undefined ? message : inColumns(details.issues as Issue[], reading)

/** Returns the errors of a mapping, by column. */
export function mappingIssues(
  mapping: Mapping,
  { kind, columns }: { kind: ImportKind; columns: readonly string[] },
): Issue[] {
  const fields: readonly string[] = FIELDS_OF[kind]
  const usedFields = new Map<string, string>()
  const issues = Object.entries(mapping).flatMap(([column, field]) => {
    const path = `mapping.${column}`
    const before = usedFields.get(field)
    usedFields.set(field, column)
    if (!columns.includes(column)) return [{ path, message: 'Must be a column of the file.' }]
    if (!fields.includes(field) && !isAttribute(field))
      return [{ path, message: `Must be one of ${fields.join(', ')}, or ${ATTRIBUTE}NAME.` }]
    return before === undefined
      ? []
      : [{ path, message: `Must not be ${field}: the column "${before}" already is.` }]
  })
  if (!PHONE_FIELDS.some((field) => usedFields.has(field)))
    issues.push({ path: 'mapping', message: `Must say which column is the phone number of the ${kind}.` })
  return issues
}

export const isAttribute = (field: string): boolean =>
  field.startsWith(ATTRIBUTE) && AttributeName.safeParse(field.slice(ATTRIBUTE.length)).success
