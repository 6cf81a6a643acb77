/** Guesses the meaning of a file's columns, by their names and all their values. */
import { type Meaning, meaningOf } from '../../../selling/crm/operations/capture-fields.ts'
import { ATTRIBUTE, FIELDS_OF, type ImportKind, type Mapping, PHONE_FIELDS } from '../schema.ts'
import type { ColumnEvidence } from './cells/column-evidence.ts'
import { countryRank, isNeverPhone, OTHER_NAMES, phoneRank, spelled } from './known-columns.ts'

const MEANING_FIELDS: Record<ImportKind, Partial<Record<Meaning, string>>> = {
  contacts: { name: 'displayName', firstName: 'firstName', lastName: 'lastName' },
  leads: {
    name: 'name',
    firstName: 'firstName',
    lastName: 'lastName',
    email: 'email',
    note: 'note',
    source: 'source',
  },
}

/** A declared custom field. */
type DeclaredField = { key: string; label: string }
/** The columns of a file with the evidence in their values, in order. */
type SeenColumns = { columns: readonly string[]; evidence: readonly ColumnEvidence[] }

const declaredFor = (column: string, declaredFields: readonly DeclaredField[]): DeclaredField | undefined =>
  declaredFields.find(({ key, label }) => [key, label].some((name) => spelled(name) === spelled(column)))

function fieldOf(
  kind: ImportKind,
  column: string,
  declaredFields: readonly DeclaredField[],
): string | undefined {
  const name = spelled(column)
  if (name === '') return undefined
  const fields: readonly string[] = FIELDS_OF[kind].filter((field) => !isPhoneField(field))
  const own = declaredFor(column, declaredFields)
  const meaning = meaningOf(column)
  const other = OTHER_NAMES[name] === 'name' && kind === 'contacts' ? 'displayName' : OTHER_NAMES[name]
  return (
    fields.find((field) => spelled(field) === name) ??
    (own && ATTRIBUTE + own.key) ??
    (meaning && MEANING_FIELDS[kind][meaning]) ??
    (other !== undefined && fields.includes(other) ? other : undefined)
  )
}

const isPhoneField = (field: string): boolean => (PHONE_FIELDS as readonly string[]).includes(field)

/** The share of numbers in a phone column without a telling name. */
const PHONE_SHARE = 0.9

/**
 * Returns the phone columns, likeliest first: by their names, or the first column with almost only numbers.
 */
function phoneColumns({ columns, evidence }: SeenColumns): string[] {
  const phoneCandidates = columns.flatMap((name, place) => {
    const rank = phoneRank(name)
    return rank === undefined ? [] : [{ name, rank, phones: evidence[place]?.phones ?? 0 }]
  })
  const ranked = phoneCandidates.toSorted((a, b) => a.rank - b.rank)
  const withPhones = ranked.filter(({ phones }) => phones > 0)
  if (withPhones.length > 0) return withPhones.slice(0, PHONE_FIELDS.length).map(({ name }) => name)
  const byValue = columns.find((name, place) => {
    const { filled: cells, phones } = evidence[place] ?? { filled: 0, phones: 0 }
    return !isNeverPhone(name) && phones > 0 && phones >= PHONE_SHARE * cells
  })
  return [ranked[0]?.name ?? byValue].filter((name) => name !== undefined)
}

/** Returns the column with the country of each number; null if none. */
export function countryColumn({ columns, evidence }: SeenColumns): string | null {
  const countryCandidates = columns.flatMap((name, place) => {
    const rank = countryRank(name)
    const { filled, countries } = evidence[place] ?? { filled: 0, countries: 0 }
    return rank !== undefined && countries > 0 && countries >= filled / 2 ? [{ name, rank }] : []
  })
  return countryCandidates.toSorted((a, b) => a.rank - b.rank)[0]?.name ?? null
}

/** Returns fields by column. If two columns can be the same field, the first gets it. */
export function guessMapping(
  kind: ImportKind,
  file: SeenColumns,
  declaredFields: readonly DeclaredField[],
): Mapping {
  const mapping: Mapping = {}
  const used = new Set<string>()
  const take = (column: string, field: string | undefined): void => {
    if (field === undefined || used.has(field) || mapping[column] !== undefined) return
    used.add(field)
    mapping[column] = field
  }
  // A column with a declared custom field for a number isn't a second number to chat with.
  const phones = phoneColumns(file).filter((column, i) => i === 0 || !declaredFor(column, declaredFields))
  for (const [i, column] of phones.entries()) take(column, PHONE_FIELDS[i])
  for (const column of file.columns) take(column, fieldOf(kind, column, declaredFields))
  // In the file's order.
  return Object.fromEntries(
    file.columns.flatMap((column) => (mapping[column] === undefined ? [] : [[column, mapping[column]]])),
  )
}

/** Meanings without a field in the record, kept as custom fields. */
const KEPT: Partial<Record<Meaning, string>> = {
  email: 'email',
  note: 'note',
  source: 'source',
  form: 'form',
}
const CAMPAIGN = /^utm[-_]?(source|medium|campaign|term|content|id)$/i

/** Returns the custom field for a column whose meaning has no field. */
const attributeFor = (column: string): string => {
  const campaign = CAMPAIGN.exec(column)?.[1]
  const meaning = meaningOf(column)
  return ATTRIBUTE + ((campaign && `utm_${campaign.toLowerCase()}`) ?? (meaning && KEPT[meaning]) ?? column)
}

/**
 * Returns fields for all columns of a file: the person's choices (`said`: columns by field), guesses, and
 * custom fields for the others.
 */
export function completeMapping(
  kind: ImportKind,
  file: SeenColumns,
  { said, declared }: { said: ReadonlyMap<string, string>; declared: readonly DeclaredField[] },
): Mapping {
  const guess = guessMapping(kind, file, declared)
  const mapping: Mapping = Object.fromEntries([...said].map(([field, column]) => [column, field]))
  const used = new Set(said.keys())
  const isSaidPhone = [...used].some(isPhoneField)
  for (const column of file.columns) {
    if (mapping[column] !== undefined) continue
    const guessed = guess[column]
    const isFree = guessed !== undefined && !used.has(guessed) && !(isSaidPhone && isPhoneField(guessed))
    const own = ATTRIBUTE + column
    const field = isFree ? guessed : used.has(attributeFor(column)) ? own : attributeFor(column)
    used.add(field)
    mapping[column] = field
  }
  return mapping
}
