/**
 * Reads numbers in the formats of people and spreadsheets of all countries. The column decides ambiguous
 * cells.
 */
import { plainDigits } from '../../../../../core/values/plain-digits.ts'

/** The decimal separator. */
export type Decimals = 'point' | 'comma'

const MAX_CHARACTERS = 40
/** Equivalent characters of other scripts and of typesetters. */
const OTHER_SIGNS: Record<string, string> = {
  '٫': '.',
  '٬': ',',
  '，': ',',
  '．': '.',
  '’': "'",
  '\u02bc': "'",
  '\u2212': '-',
  '\u2012': '-',
  '\u2013': '-',
  '－': '-',
  '＋': '+',
  '٪': '%',
  '％': '%',
}
const OTHER_SIGN = new RegExp(`[${Object.keys(OTHER_SIGNS).join('')}]`, 'g')

const CURRENCIES = new Set([
  ...Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
  ...'rs re rupee rupees rp rm dh dhs tl kr ft kč zł lei лв руб р din sr qr bd kd tk ksh ₨'.split(' '),
  ...'r us a c s hk nt nz mx'.split(' ').map((letters) => `${letters}$`),
])
/** `₹`, `R$`, `Rs.`, `INR` before or after the number, and the `/-` at the end of an amount in India. */
const BEFORE = /^([\p{L}]{1,6}\$?|\p{Sc}[\p{L}]{0,3})\.?\s*(?=[-+(\d.,])/u
const AFTER = /(?<=[\d)%-])\s*([\p{L}]{1,7}\.?|\p{Sc})$/u
const CLOSED = ['/-', '/=']

const isCurrency = (text: string): boolean =>
  /^\p{Sc}/u.test(text) || CURRENCIES.has(text.toLowerCase().replace(/\.$/, ''))

/** Only digits and separators, without sign, currency, and percent; undefined if it is not a number. */
type Bare = { body: string; isNegative: boolean }

function bareOf(cell: string): Bare | undefined {
  if (cell.length > MAX_CHARACTERS || !/\p{Nd}/u.test(cell)) return undefined
  let text = plainDigits(cell)
    .replace(OTHER_SIGN, (sign) => OTHER_SIGNS[sign]!)
    .trim()
    .replace(/^'/, '')
  let isNegative = false
  const takeSign = () => {
    if (text.startsWith('-') || text.endsWith('-')) isNegative = true
    text = (text.endsWith('-') ? text.slice(0, -1) : text).slice(/^[-+]/.test(text) ? 1 : 0).trim()
  }
  if (CLOSED.some((end) => text.endsWith(end))) text = text.slice(0, -2).trim()
  takeSign()
  const before = BEFORE.exec(text)
  if (before && isCurrency(before[1]!)) text = text.slice(before[0].length)
  const after = AFTER.exec(text)
  if (after && isCurrency(after[1]!)) text = text.slice(0, after.index)
  takeSign()
  const [, accounted] = /^\((.*)\)$/s.exec(text) ?? []
  if (accounted !== undefined) {
    isNegative = true
    text = accounted.trim()
  }
  if (text.endsWith('%')) text = text.slice(0, -1).trimEnd()
  return /^[\d.,]/.test(text) ? { body: text, isNegative } : undefined
}

const GROUPS: Record<string, RegExp> = {
  ',': /^\d{1,3}(?:,\d{2,3})*,\d{3}$/,
  '.': /^\d{1,3}(?:\.\d{2,3})*\.\d{3}$/,
  "'": /^\d{1,3}(?:'\d{3})+$/,
  ' ': /^\d{1,3}(?: \d{2,3})* \d{3}$/,
}
const OTHER: Record<string, Decimals> = { ',': 'point', '.': 'comma' }

/**
 * The form of a number's text: certain, or ambiguous. `proves`: the decimal separator that the text proves.
 */
type Shape =
  | { value: number; proves?: Decimals; strongly?: boolean }
  | { grouped: number; decimal: number; sign: '.' | ',' }

function shapeOf(body: string): Shape | undefined {
  if (/^\d+(?:\.\d+)?e[+-]?\d{1,2}$/i.test(body)) return { value: Number(body) }
  const spaced = body.replace(/\s/g, ' ')
  for (const sign of [' ', "'"] as const) {
    if (!spaced.includes(sign)) continue
    const [, wholePart, rest] = /^([\d' ]+)([.,]\d*)?$/.exec(spaced) ?? []
    if (wholePart === undefined || !GROUPS[sign]!.test(wholePart)) return undefined
    const value = Number(wholePart.replaceAll(sign, '') + (rest ?? '').replace(',', '.'))
    return rest === undefined ? { value } : { value, proves: rest.startsWith(',') ? 'comma' : 'point' }
  }
  if (!/^[\d.,]+$/.test(body)) return undefined
  const [points, commas] = ['.', ','].map((sign) => body.split(sign).length - 1) as [number, number]
  if (points + commas === 0) return { value: Number(body) }
  if (points > 0 && commas > 0) return withBothSigns(body)
  const sign = points > 0 ? '.' : ','
  if (points + commas > 1)
    return GROUPS[sign]!.test(body)
      ? { value: Number(body.replaceAll(sign, '')), proves: OTHER[sign]!, strongly: true }
      : undefined
  const [wholePart, rest] = body.split(sign) as [string, string]
  if (wholePart + rest === '') return undefined
  const decimal = Number(`${wholePart || '0'}.${rest || '0'}`)
  if (rest.length === 3 && /^[1-9]\d{0,2}$/.test(wholePart))
    return { grouped: Number(wholePart + rest), decimal, sign }
  return { value: decimal, ...(rest === '' ? {} : { proves: sign === '.' ? 'point' : 'comma' }) }
}

/** Reads a number with both separators: the last is the decimal separator, the others separate groups. */
function withBothSigns(body: string): Shape | undefined {
  const sign = body.lastIndexOf('.') > body.lastIndexOf(',') ? '.' : ','
  const position = body.lastIndexOf(sign)
  const [wholePart, rest] = [body.slice(0, position), body.slice(position + 1)]
  const group = sign === '.' ? ',' : '.'
  if (wholePart.includes(sign) || !GROUPS[group]!.test(wholePart)) return undefined
  return {
    value: Number(`${wholePart.replaceAll(group, '')}.${rest || '0'}`),
    proves: sign === '.' ? 'point' : 'comma',
    strongly: true,
  }
}

/**
 * The decimal format of a column. `isProven`: cells prove it, or a person chose it; otherwise it is the
 * country's convention.
 */
export type NumberFormat = { decimals: Decimals | null; isProven: boolean }

export type NumberReading = number | { either: [number, number] } | undefined

/**
 * Returns the number in a cell; both values if the column doesn't decide; undefined if the cell has no
 * number.
 */
export function numberIn(cell: string, { decimals, isProven }: NumberFormat): NumberReading {
  const stripped = bareOf(cell)
  const shape = stripped && shapeOf(stripped.body)
  if (!stripped || !shape) return undefined
  const withSign = (value: number): number => (stripped.isNegative && value !== 0 ? -value : value)
  if ('value' in shape) return Number.isFinite(shape.value) ? withSign(shape.value) : undefined
  const isDecimal = decimals !== null && (decimals === 'point') === (shape.sign === '.')
  if (decimals !== null && !isDecimal) return withSign(shape.grouped)
  if (isDecimal && isProven) return withSign(shape.decimal)
  // Three decimals without other evidence are rare; thousands are common.
  return { either: [withSign(shape.grouped), withSign(shape.decimal)] }
}

/**
 * Returns the decimal separator that a cell shows for its column. `strongly`: no date or time has this form.
 */
export function decimalsIn(cell: string): { decimals: Decimals; strongly: boolean } | undefined {
  const stripped = bareOf(cell)
  const shape = stripped && shapeOf(stripped.body)
  if (!shape || !('value' in shape) || shape.proves === undefined) return undefined
  return { decimals: shape.proves, strongly: shape.strongly ?? false }
}
