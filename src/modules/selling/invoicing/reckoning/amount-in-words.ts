/** Amounts in words on documents. Rupees are counted in lakh and crore. */
import { minorPerUnit } from '../../../../core/values/money.ts'

const ONES = [
  'Zero',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
  'Thirteen',
  'Fourteen',
  'Fifteen',
  'Sixteen',
  'Seventeen',
  'Eighteen',
  'Nineteen',
]
const TENS = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety']

type Scale = readonly (readonly [bigint, string])[]
const INDIAN: Scale = [
  [10_000_000n, 'Crore'],
  [100_000n, 'Lakh'],
  [1_000n, 'Thousand'],
  [100n, 'Hundred'],
]
const WESTERN: Scale = [
  [1_000_000_000_000n, 'Trillion'],
  [1_000_000_000n, 'Billion'],
  [1_000_000n, 'Million'],
  [1_000n, 'Thousand'],
  [100n, 'Hundred'],
]

function belowHundred(value: number): string {
  if (value < 20) return ONES[value]!
  const ones = value % 10
  return TENS[Math.floor(value / 10)]! + (ones === 0 ? '' : `-${ONES[ones]}`)
}

function spellNumber(value: bigint, scale: Scale): string {
  const step = scale.find(([size]) => value >= size)
  if (!step) return belowHundred(Number(value))
  const [size, name] = step
  const rest = value % size
  return `${spellNumber(value / size, scale)} ${name}${rest === 0n ? '' : ` ${spellNumber(rest, scale)}`}`
}

/**
 * Returns `Rupees Twelve Lakh Five Hundred and Fifty Paise Only`; in another currency `USD Twelve and 50/100
 * Only`.
 */
export function amountInWords(minor: number, currency: string): string {
  const perUnit = minorPerUnit(currency)
  const amount = BigInt(Math.abs(minor))
  const [units, rest] = [amount / perUnit, amount % perUnit]
  const sign = minor < 0 ? 'Minus ' : ''
  if (currency === 'INR') {
    const paise = rest === 0n ? '' : ` and ${spellNumber(rest, INDIAN)} Paise`
    return `${sign}Rupees ${spellNumber(units, INDIAN)}${paise} Only`
  }
  const fraction =
    rest === 0n ? '' : ` and ${String(rest).padStart(String(perUnit).length - 1, '0')}/${perUnit}`
  return `${sign}${currency} ${spellNumber(units, WESTERN)}${fraction} Only`
}
