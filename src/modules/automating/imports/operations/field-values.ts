/** Reads the values of a row's cells by the mapped fields. */
import { startOfDay } from '../../../../core/values/calendar.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { isLanguageTag, LANGUAGE_NAMES, LANGUAGES } from '../../../../core/values/languages.ts'
import type { FieldType } from '../../../messaging/contacts/settings-schema.ts'
import { Email } from '../../../selling/crm/schema.ts'
import { ATTRIBUTE } from '../schema.ts'
import { shown } from './cells/choose-number.ts'
import type { ColumnDates, ColumnNumbers } from './cells/column-formats.ts'
import { dateIn } from './cells/date-cell.ts'
import { numberIn } from './cells/number-cell.ts'
import { unguarded } from './cells/strip-guards.ts'
import { spelled } from './known-columns.ts'

/** A column of the file: its position among the cells of a row, and its name. */
export type Column = { place: number; name: string }

/** The settings for reading the rows of a file. */
export type RowReading = {
  /** Phone columns in order of preference, each with its label column. */
  phones: (Column & { label: Column | undefined })[]
  country: Column | undefined
  /** Columns by field, in the file's order, without the phone columns. */
  fields: (Column & { field: string; numbers: ColumnNumbers; dates: ColumnDates })[]
  constants: Record<string, string>
  timezone: string
  countryCode: string
  thisYear: number
  /** The declared types of custom fields, by key. */
  types: ReadonlyMap<string, FieldType>
  /**
   * True if the import keeps rows with invalid values: an unusable email or language becomes a custom field, and long
   * texts are cut. Otherwise the import rejects the row.
   */
  keepsAll: boolean
  /** The source of leads without a source. */
  campaign: Column | undefined
}

/** Why a cell can't be read. */
class Unreadable extends Error {}

const NOTHING = /^(?:n[/.]?a\.?|none|nil|null|nan|undefined|#n\/a|[-–—?.]+)$/i
const YES = new Set(['yes', 'y', 'true', '1', 'on'])
const NO = new Set(['no', 'n', 'false', '0', 'off'])
const OPTED_IN = new Set([...YES, 'optedin', 'optin', 'subscribed', 'granted'])
const OPTED_OUT = new Set([...NO, 'optedout', 'optout', 'unsubscribed', 'denied'])
/** Groups that address books put all contacts in. */
const BUILT_IN_GROUPS = /^\*\s*(?:mycontacts|starred)$/i

const tagsIn = (text: string): string[] =>
  text
    .split(/:::|[,;|]/)
    .map((item) => item.trim())
    .filter((item) => !BUILT_IN_GROUPS.test(item))
    .map((item) => item.replace(/^\*\s+/, ''))
    .filter((item) => item !== '')

function consentOf(text: string, { name }: { name: string }): string {
  const word = spelled(text)
  if (OPTED_IN.has(word)) return 'opted_in'
  if (OPTED_OUT.has(word)) return 'opted_out'
  if (word === 'unknown') return 'unknown'
  throw new Unreadable(`${name}: ${shown(text)} isn't yes or no.`)
}

const ENGLISH_NAMES = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
/** Languages by their names, as their speakers and English speakers write them. */
const LANGUAGES_BY_NAME = new Map(
  LANGUAGES.flatMap((language) =>
    [LANGUAGE_NAMES[language], ENGLISH_NAMES.of(language)!].flatMap((name) =>
      [name, name.replace(/ \(.*/, '')].map((spelling): [string, string] => [
        spelling.toLocaleLowerCase('en'),
        language,
      ]),
    ),
  ),
)

/** Returns the tag that a cell names; undefined if it names no language. */
function languageTagIn(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-')
  const named = LANGUAGES_BY_NAME.get(tag.toLocaleLowerCase('en'))
  if (named !== undefined) return named
  return isLanguageTag(tag) ? tag : undefined
}

function languageTagOf(text: string, { name }: Field): string {
  const tag = languageTagIn(text)
  if (tag !== undefined) return tag
  throw new Unreadable(`${name}: ${shown(text)} isn't a language. Use a tag such as es or pt-BR.`)
}

/** Returns the first usable address in a cell. Address books join several. */
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

const formatDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function dateOf(text: string, { name, dates }: Field, { timezone, thisYear }: RowReading) {
  const value = dateIn(text, { order: dates.order, timezone, thisYear })
  if (value === undefined) throw new Unreadable(`${name}: ${shown(text)} isn't a date.`)
  if (!('either' in value)) return value
  throw new Unreadable(
    `${name}: ${shown(text)} can be ${value.either.map(formatDay).join(' or ')}. Choose the date format of this column.`,
  )
}

/**
 * Returns the text in the field's type. A text that doesn't fit stays as it is, and the operation refuses it.
 */
function attributeOf(text: string, field: Field, reading: RowReading): unknown {
  const type = reading.types.get(field.field.slice(ATTRIBUTE.length))
  if (type === 'number') return numberOf(text, field)
  if (type === 'date') {
    const date = dateOf(text, field, reading)
    return 'day' in date ? date.day : date.at.toISOString()
  }
  if (type !== 'boolean') return text
  const answer = text.trim().toLowerCase()
  if (YES.has(answer)) return true
  return NO.has(answer) ? false : text
}

const MAX_LENGTHS: Record<string, number> = { name: 200, displayName: 200, source: 120, note: 5000 }

function fieldValue(text: string, field: Field, reading: RowReading): unknown {
  const { field: target } = field
  if (target.startsWith(ATTRIBUTE)) return attributeOf(text, field, reading)
  if (target === 'tags') return tagsIn(text)
  if (target === 'rating' || target === 'dealValue') return numberOf(text, field)
  if (target === 'email') return emailIn(text) ?? text
  if (target === 'optInStatus') return consentOf(text, field)
  if (target === 'language') return languageTagOf(text, field)
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

/** Values by our fields. */
export type Values = Record<string, unknown>

const PLAIN_NUMBERS: ColumnNumbers = { decimals: 'point', isProven: true, basis: 'chosen' }
const PLAIN_DATES: ColumnDates = { order: null, basis: 'chosen' }

/** The values of a row's cells by field, and the errors in cells. */
export type RowValues = { values: Values; reasons: string[] }

/**
 * Returns values by our fields: the constants for every row, overridden by the row's own. Tags are combined.
 */
export function valuesOf(cells: readonly string[], reading: RowReading): RowValues {
  const values: Values = {}
  const reasons: string[] = []
  for (const [field, text] of Object.entries(reading.constants)) {
    const constant = { place: -1, name: field, field, numbers: PLAIN_NUMBERS, dates: PLAIN_DATES }
    take(text, constant, reading, { values, reasons })
  }
  for (const column of reading.fields) {
    const text = unguarded(cells[column.place] ?? '')
    if (text === '' || (isTyped(column, reading) && NOTHING.test(text))) continue
    take(text, column, reading, { values, reasons })
  }
  return { values, reasons }
}

function take(text: string, column: Field, reading: RowReading, { values, reasons }: RowValues): void {
  try {
    const isUnknownLanguage = column.field === 'language' && languageTagIn(text) === undefined
    if (isUnknownLanguage && reading.keepsAll) {
      values[ATTRIBUTE + column.name] = text
      return
    }
    const value = fieldValue(text, column, reading)
    if (column.field === 'tags')
      values.tags = [...((values.tags as string[] | undefined) ?? []), ...(value as string[])]
    else if (column.field === 'email' && reading.keepsAll && !Email.safeParse(value).success)
      values[ATTRIBUTE + column.name] = text
    else values[column.field] = value
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reasons.push(error.message)
  }
}
