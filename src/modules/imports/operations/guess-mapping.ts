/** What the columns of a file seem to be, by their names alone. */
import { parsePhone } from '../../../core/phone.ts'
import { type Meaning, meaningOf } from '../../crm/operations/capture-fields.ts'
import { ATTRIBUTE, FIELDS_OF, type ImportKind, type Mapping } from '../schema.ts'
import { spelled, unguarded } from './rows-as-bodies.ts'

/** Other names that people give to a column. */
const ALSO: Record<string, string> = {
  tag: 'tags',
  labels: 'tags',
  groups: 'tags',
  consent: 'optInStatus',
  optin: 'optInStatus',
  subscribed: 'optInStatus',
  consentsource: 'optInSource',
  value: 'dealValue',
  amount: 'dealValue',
  dealamount: 'dealValue',
  assignedto: 'owner',
  agent: 'owner',
  status: 'stage',
  followup: 'nextFollowUpAt',
  nextfollowup: 'nextFollowUpAt',
}

const MEANT: Record<ImportKind, Partial<Record<Meaning, string>>> = {
  contacts: { phone: 'phone', name: 'displayName', firstName: 'firstName', lastName: 'lastName' },
  leads: {
    phone: 'phone',
    name: 'name',
    firstName: 'firstName',
    lastName: 'lastName',
    email: 'email',
    note: 'note',
    source: 'source',
  },
}

/** A custom field that was declared. */
type Declared = { key: string; label: string }

function fieldOf(kind: ImportKind, column: string, declared: readonly Declared[]): string | undefined {
  const name = spelled(column)
  const fields: readonly string[] = FIELDS_OF[kind]
  const own = declared.find(({ key, label }) => spelled(key) === name || spelled(label) === name)
  const meaning = meaningOf(column)
  const also = ALSO[name]
  return (
    fields.find((field) => spelled(field) === name) ??
    (own && ATTRIBUTE + own.key) ??
    (meaning && MEANT[kind][meaning]) ??
    (also !== undefined && fields.includes(also) ? also : undefined)
  )
}

/** Cells by column. */
type Cells = Record<string, string>

/** The column in which the sample holds numbers and nothing else. */
const phoneColumn = (columns: string[], sample: Cells[], countryCode: string): string | undefined =>
  columns.find((column) => {
    const cells = sample
      .map((cellsOfRow) => unguarded(cellsOfRow[column] ?? ''))
      .filter((cell) => cell !== '')
    return cells.length > 0 && cells.every((cell) => parsePhone(cell, countryCode) !== undefined)
  })

type Seen = { columns: string[]; sample: Cells[]; declared: readonly Declared[]; countryCode: string }

/** Fields by column; of two columns that could be the same field, the first. */
export function guessMapping(kind: ImportKind, seen: Seen): Mapping {
  const mapping: Mapping = {}
  const taken = new Set<string>()
  const take = (column: string, field: string | undefined): void => {
    if (field === undefined || taken.has(field) || mapping[column] !== undefined) return
    taken.add(field)
    mapping[column] = field
  }
  for (const column of seen.columns)
    if (spelled(column) !== '') take(column, fieldOf(kind, column, seen.declared))
  const phone = phoneColumn(seen.columns, seen.sample, seen.countryCode)
  if (phone !== undefined) take(phone, 'phone')
  return mapping
}
