/**
 * Decides the format of numbers and dates in each column: by its own values, then the file's, then the
 * country's convention.
 */
import type { ColumnEvidence } from './column-evidence.ts'
import type { DayOrder } from './date-cell.ts'
import type { Decimals, NumberFormat } from './number-cell.ts'

/** The formats that a person can choose for a column. */
export const NUMBER_FORMATS = ['decimalPoint', 'decimalComma'] as const
export const DATE_FORMATS = ['dayFirst', 'monthFirst'] as const
export type ChosenFormat = (typeof NUMBER_FORMATS)[number] | (typeof DATE_FORMATS)[number]

/** Why a column has its format. `mixed`: its values contradict each other. */
export type FormatBasis = 'chosen' | 'column' | 'file' | 'country' | 'mixed'

export type ColumnNumbers = NumberFormat & { basis: FormatBasis }
export type ColumnDates = { order: DayOrder | null; basis: FormatBasis }

/** For calling codes of several countries, the country whose conventions most of their people use. */
const MAIN_REGIONS: Record<string, string> = {
  1: 'US',
  7: 'RU',
  39: 'IT',
  44: 'GB',
  47: 'NO',
  61: 'AU',
  212: 'MA',
  262: 'RE',
  290: 'SH',
  358: 'FI',
  590: 'GP',
  599: 'CW',
}

export type Habits = { decimals: Decimals; order: DayOrder }

/** Returns the conventions of a country. `region` is ISO 3166. */
export function habitsOf(countryCode: string, region: string): Habits {
  const country = MAIN_REGIONS[countryCode] ?? region
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  const locale = `${language}-${country}-u-nu-latn-ca-gregory`
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  return {
    decimals: decimal?.value === ',' ? 'comma' : 'point',
    order: parts.indexOf('month') < parts.indexOf('day') && parts[0] === 'month' ? 'monthFirst' : 'dayFirst',
  }
}

/** Returns which of two exclusive values was seen; `both` if both were. */
function oneOf<T>(first: [T, number], second: [T, number]): T | 'both' | undefined {
  if (first[1] > 0 && second[1] > 0) return 'both'
  return first[1] > 0 ? first[0] : second[1] > 0 ? second[0] : undefined
}

const sumOf = (columns: readonly ColumnEvidence[], key: keyof ColumnEvidence): number =>
  columns.reduce((sum, evidence) => sum + evidence[key], 0)

export function numbersOf(
  own: ColumnEvidence | undefined,
  columns: readonly ColumnEvidence[],
  habits: Habits,
  chosen: ChosenFormat | undefined,
): ColumnNumbers {
  if (chosen === 'decimalPoint' || chosen === 'decimalComma')
    return { decimals: chosen === 'decimalPoint' ? 'point' : 'comma', isProven: true, basis: 'chosen' }
  const ownFormat = own && oneOf<Decimals>(['point', own.point], ['comma', own.comma])
  if (ownFormat === 'both') return { decimals: null, isProven: false, basis: 'mixed' }
  if (ownFormat) return { decimals: ownFormat, isProven: true, basis: 'column' }
  const ofFile = oneOf<Decimals>(
    ['point', sumOf(columns, 'strongPoint')],
    ['comma', sumOf(columns, 'strongComma')],
  )
  if (ofFile && ofFile !== 'both') return { decimals: ofFile, isProven: true, basis: 'file' }
  return { decimals: habits.decimals, isProven: false, basis: 'country' }
}

export function datesOf(
  own: ColumnEvidence | undefined,
  columns: readonly ColumnEvidence[],
  habits: Habits,
  chosen: ChosenFormat | undefined,
): ColumnDates {
  if (chosen === 'dayFirst' || chosen === 'monthFirst') return { order: chosen, basis: 'chosen' }
  const ownFormat = own && oneOf<DayOrder>(['dayFirst', own.dayFirst], ['monthFirst', own.monthFirst])
  if (ownFormat === 'both') return { order: null, basis: 'mixed' }
  if (ownFormat) return { order: ownFormat, basis: 'column' }
  const ofFile = oneOf<DayOrder>(
    ['dayFirst', sumOf(columns, 'dayFirst')],
    ['monthFirst', sumOf(columns, 'monthFirst')],
  )
  if (ofFile && ofFile !== 'both') return { order: ofFile, basis: 'file' }
  return { order: habits.order, basis: 'country' }
}
