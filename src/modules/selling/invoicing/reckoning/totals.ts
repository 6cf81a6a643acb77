/**
 * Computes the totals of a document (DECISIONS.md). Each line and each of its taxes is
 * rounded once, half away from zero. Sums add the rounded values.
 */
import {
  divideRounded,
  minorPerUnit,
  shareOf,
  THOUSANDTHS,
  thousandths,
  withoutShare,
} from '../../../../core/values/money.ts'

export const TAX_SCHEMES = ['none', 'regular', 'composition'] as const
export type TaxScheme = (typeof TAX_SCHEMES)[number]
export const SUPPLY_TYPES = ['regular', 'sez', 'sez_lut', 'export_tax', 'export_lut'] as const
export type SupplyType = (typeof SUPPLY_TYPES)[number]

/** Returns whether the supply is without tax, under a bond or letter of undertaking. */
export const isUnderLut = (supplyType: SupplyType): boolean => supplyType.endsWith('_lut')
export const isExport = (supplyType: SupplyType): boolean => supplyType.startsWith('export_')
export const isToSez = (supplyType: SupplyType): boolean => supplyType.startsWith('sez')

export type ReckonedLine = {
  quantity: number
  unitMinor: number
  discountPercent?: number | undefined
  discountMinor?: number | undefined
  taxRate: number
  cessRate?: number | undefined
}

export type Basis = {
  currency: string
  taxScheme: TaxScheme
  pricesIncludeTax: boolean
  roundToUnit: boolean
  supplyType: SupplyType
  reverseCharge: boolean
  /** True if seller and place of supply are in one state. */
  isSameState: boolean
}

export type Amounts = {
  taxableMinor: number
  cgstMinor: number
  sgstMinor: number
  igstMinor: number
  cessMinor: number
}
export type Totals = Amounts & {
  taxMinor: number
  roundOffMinor: number
  totalMinor: number
  lines: Amounts[]
}

/** Returns the price of a line after its discount. */
export function netOf(line: ReckonedLine): bigint {
  const gross = BigInt(line.unitMinor) * thousandths(line.quantity)
  if (line.discountPercent !== undefined) {
    const remainingPercent = 100n * THOUSANDTHS - thousandths(line.discountPercent)
    return divideRounded(gross * remainingPercent, 100n * THOUSANDTHS * THOUSANDTHS)
  }
  return divideRounded(gross, THOUSANDTHS) - BigInt(line.discountMinor ?? 0)
}

type Taxes = { cgst: bigint; sgst: bigint; igst: bigint; cess: bigint }

function taxesOn(amount: bigint, { tax, cess }: { tax: bigint; cess: bigint }, isSameState: boolean): Taxes {
  // Half of an odd rate isn't a whole number of thousandths. So the amount is halved instead, in the single
  // rounding.
  const half = divideRounded(amount * tax, 200n * THOUSANDTHS)
  return {
    cgst: isSameState ? half : 0n,
    sgst: isSameState ? half : 0n,
    igst: isSameState ? 0n : shareOf(amount, tax),
    cess: shareOf(amount, cess),
  }
}

const sumOf = ({ cgst, sgst, igst, cess }: Taxes): bigint => cgst + sgst + igst + cess

/** Returns the taxes in a price. Rounding them up would exceed a price of one or two paise. */
function taxesIn(net: bigint, rates: { tax: bigint; cess: bigint }, isSameState: boolean): Taxes {
  const base = withoutShare(net, rates.tax + rates.cess)
  const taxes = taxesOn(base, rates, isSameState)
  return sumOf(taxes) > net ? taxesOn(base - 1n, rates, isSameState) : taxes
}

function amountsOf(line: ReckonedLine, basis: Basis): Amounts {
  const net = netOf(line)
  const isTaxed = basis.taxScheme === 'regular' && !isUnderLut(basis.supplyType)
  const rates = isTaxed
    ? { tax: thousandths(line.taxRate), cess: thousandths(line.cessRate ?? 0) }
    : { tax: 0n, cess: 0n }
  const isSameState = basis.isSameState && basis.supplyType === 'regular'
  // A price never includes tax that the buyer pays to the state.
  const isInside = basis.pricesIncludeTax && !basis.reverseCharge
  const taxes = (isInside ? taxesIn : taxesOn)(net, rates, isSameState)
  return {
    taxableMinor: Number(isInside ? net - sumOf(taxes) : net),
    cgstMinor: Number(taxes.cgst),
    sgstMinor: Number(taxes.sgst),
    igstMinor: Number(taxes.igst),
    cessMinor: Number(taxes.cess),
  }
}

/** Returns the amounts of each line, and of all together. */
export function reckon(lines: ReckonedLine[], basis: Basis): Totals {
  const lineAmounts = lines.map((line) => amountsOf(line, basis))
  const sum = (field: keyof Amounts): bigint =>
    lineAmounts.reduce((total, line) => total + BigInt(line[field]), 0n)
  const [taxable, cgst, sgst, igst, cess] = [
    sum('taxableMinor'),
    sum('cgstMinor'),
    sum('sgstMinor'),
    sum('igstMinor'),
    sum('cessMinor'),
  ]
  const tax = cgst + sgst + igst + cess
  const exactTotal = basis.reverseCharge ? taxable : taxable + tax
  const unit = minorPerUnit(basis.currency)
  const total = basis.roundToUnit ? divideRounded(exactTotal, unit) * unit : exactTotal
  return {
    lines: lineAmounts,
    taxableMinor: Number(taxable),
    cgstMinor: Number(cgst),
    sgstMinor: Number(sgst),
    igstMinor: Number(igst),
    cessMinor: Number(cess),
    taxMinor: Number(tax),
    roundOffMinor: Number(total - exactTotal),
    totalMinor: Number(total),
  }
}
