/**
 * The content of a shown document, as texts by place. The page and the PDF are two layouts of it. The page is
 * the record.
 */
import type { z } from 'zod'
import { moneyText, numberLocale } from '../../../../core/values/money.ts'
import type { StoredBasis } from '../queries/documents.ts'
import { amountInWords } from '../reckoning/amount-in-words.ts'
import { isUin } from '../reckoning/gstin.ts'
import { payableOf } from '../reckoning/payable.ts'
import { stateName } from '../reckoning/states.ts'
import type { SupplyType } from '../reckoning/totals.ts'
import type { Quotation, SalesInvoice } from '../schema.ts'
import type { Address } from '../settings-schema.ts'
import { type TaxTable, taxTableOf } from './tax-table.ts'

export type ShownInvoice = z.output<typeof SalesInvoice>
export type ShownQuotation = z.output<typeof Quotation>
export type ShownDocument = ShownInvoice | ShownQuotation

/** A document with the settings that it was issued under. For a draft, the current settings. */
export type DocumentSource = {
  document: ShownDocument
  basis: StoredBasis
  /** The document's current version. */
  currentVersion: number
  /** A data: address. */
  logo: string | null
}

export type Party = { name: string; lines: string[] }
export type Stamp = { text: string; tone: 'good' | 'bad' | 'plain' }
export type ViewLine = {
  description: string
  hsn: string
  quantity: string
  price: string
  discount: string
  taxable: string
  tax: string
  amount: string
}
export type ViewPayment = {
  receipt: string
  day: string
  method: string
  amount: string
  tds: string
  voided: boolean
}

export type DocumentView = {
  heading: string
  number: string
  stamp: Stamp | null
  facts: [label: string, value: string][]
  logo: string | null
  seller: Party
  customer: Party
  shipTo: Party | null
  lines: ViewLine[]
  hasHsn: boolean
  /** True if lines have quantities and prices. */
  hasPrices: boolean
  hasDiscount: boolean
  isTaxed: boolean
  taxTable: TaxTable | null
  totals: [label: string, value: string][]
  /** The last of the totals. */
  sum: [label: string, value: string]
  words: string
  payments: ViewPayment[]
  settled: [label: string, value: string][]
  balance: [label: string, value: string] | null
  bank: string | null
  /** The address for UPI apps, and the id of its payee. */
  upi: { address: string; id: string } | null
  notes: string | null
  terms: string | null
  declarations: string[]
}

const HEADINGS: Record<string, string> = {
  tax_invoice: 'Tax invoice',
  bill_of_supply: 'Bill of supply',
  invoice: 'Invoice',
  proforma: 'Proforma invoice',
  receipt_voucher: 'Receipt voucher',
}

export const isInvoice = (document: ShownDocument): document is ShownInvoice => 'documentType' in document

/** Returns the customer's name for the kind of document. */
export const headingOf = (document: ShownDocument): string =>
  isInvoice(document) ? HEADINGS[document.documentType]! : 'Quotation'

const DAY_FORMAT = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'UTC' })
/** Returns 2026-06-01 as 1 Jun 2026. */
export const dayText = (day: string): string => DAY_FORMAT.format(new Date(`${day}T00:00:00Z`))

const nonEmpty = (parts: (string | null | undefined)[]): string[] =>
  parts.filter((part): part is string => part !== null && part !== undefined && part !== '')

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' })
const addressLines = (address: Address | null | undefined): string[] =>
  address
    ? nonEmpty([
        address.line1,
        address.line2,
        `${address.city} ${address.postalCode}`,
        nonEmpty([
          stateName(address.state),
          address.country === 'IN' ? null : COUNTRIES.of(address.country),
        ]).join(', '),
      ])
    : []

const labelled = (label: string, value: string | null | undefined): string | null =>
  value ? `${label} ${value}` : null

function stampOf({ document, currentVersion }: DocumentSource): Stamp | null {
  if (document.version < currentVersion) return { text: `Replaced by version ${currentVersion}`, tone: 'bad' }
  if (document.status === 'draft') return { text: 'Draft', tone: 'plain' }
  if (document.status === 'cancelled') return { text: 'Canceled', tone: 'bad' }
  if (document.status === 'converted') return { text: 'Invoiced', tone: 'plain' }
  if (document.status === 'paid' || document.status === 'accepted')
    return { text: document.status === 'paid' ? 'Paid' : 'Accepted', tone: 'good' }
  if (document.status === 'declined') return { text: 'Declined', tone: 'bad' }
  if (document.status === 'expired') return { text: 'Expired', tone: 'bad' }
  if (isInvoice(document) && document.overdue) return { text: 'Overdue', tone: 'bad' }
  return document.status === 'partially_paid' ? { text: 'Partly paid', tone: 'plain' } : null
}

const ZERO_RATED = 'SUPPLY MEANT FOR EXPORT/SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS'
const WITH_TAX = `${ZERO_RATED} ON PAYMENT OF INTEGRATED TAX`
const UNDER_LUT = `${ZERO_RATED} UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX`
/** The endorsements of Rule 46 of the CGST Rules, in its wording. */
const ENDORSEMENTS: Partial<Record<SupplyType, string>> = {
  sez: WITH_TAX,
  sez_lut: UNDER_LUT,
  export_tax: WITH_TAX,
  export_lut: UNDER_LUT,
}

function factsOf({ document }: DocumentSource): [string, string][] {
  const { issueDate, validUntil, reference, placeOfSupply, version } = document
  const dueDate = isInvoice(document) ? document.dueDate : null
  const from = isInvoice(document) ? (document.fromProforma ?? document.fromQuotation) : null
  const facts: [string, string | null][] = [
    ['Date', issueDate && dayText(issueDate)],
    ['Due', dueDate && dayText(dueDate)],
    ['Valid until', validUntil && dayText(validUntil)],
    ['Version', version > 1 ? String(version) : null],
    ['Reference', reference],
    ['From', from?.number ?? null],
    ['Place of supply', placeOfSupply && `${stateName(placeOfSupply)} (${placeOfSupply})`],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
}

function declarationsOf({ document, basis }: DocumentSource): string[] {
  const isTaxDocument = isInvoice(document) && basis.taxScheme === 'regular'
  return nonEmpty([
    basis.taxScheme === 'composition' && isInvoice(document)
      ? 'Composition taxable person, not eligible to collect tax on supplies.'
      : null,
    ENDORSEMENTS[document.supplyType],
    document.reverseCharge
      ? 'Tax is payable on reverse charge: Yes. The recipient pays it to the government; it is not part of the total.'
      : isTaxDocument
        ? 'Tax is payable on reverse charge: No.'
        : null,
    isInvoice(document) && document.kind === 'proforma' ? 'This is not a tax invoice.' : null,
    document.cancelReason && document.status === 'cancelled' ? `Canceled: ${document.cancelReason}` : null,
  ])
}

const quantityText = (value: number, currency: string): string =>
  new Intl.NumberFormat(numberLocale(currency), { maximumFractionDigits: 3 }).format(value)

function linesOf(document: ShownDocument): ViewLine[] {
  const money = (minor: number): string => moneyText(minor, document.currency)
  return document.lines.map((line) => {
    const tax = line.cgstMinor + line.sgstMinor + line.igstMinor + line.cessMinor
    const rates = nonEmpty([`${line.taxRate} %`, line.cessRate ? `+ ${line.cessRate} % cess` : null])
    return {
      description: line.description,
      hsn: line.hsn ?? '',
      quantity: `${quantityText(line.quantity, document.currency)} ${line.unit}`,
      price: money(line.unitMinor),
      discount:
        line.discountPercent !== undefined
          ? `${line.discountPercent} %`
          : line.discountMinor
            ? money(line.discountMinor)
            : '',
      taxable: money(line.taxableMinor),
      tax: rates.join(' '),
      amount: money(document.reverseCharge ? line.taxableMinor : line.taxableMinor + tax),
    }
  })
}

/** Returns the name of a tax on a document. Under reverse charge, the tax isn't part of the total. */
export const taxName = ({ reverseCharge }: ShownDocument, tax: string): string =>
  reverseCharge ? `${tax} (reverse charge)` : tax

function totalsOf(document: ShownDocument, isTaxed: boolean): [string, string][] {
  const money = (minor: number): string => moneyText(minor, document.currency)
  const rows: [string, number, boolean][] = [
    [isTaxed ? 'Taxable value' : 'Sum', document.taxableMinor, isTaxed || document.roundOffMinor !== 0],
    [taxName(document, 'CGST'), document.cgstMinor, document.cgstMinor !== 0],
    [taxName(document, document.stateTax), document.sgstMinor, document.sgstMinor !== 0],
    [taxName(document, 'IGST'), document.igstMinor, document.igstMinor !== 0],
    [taxName(document, 'Cess'), document.cessMinor, document.cessMinor !== 0],
    ['Rounding', document.roundOffMinor, document.roundOffMinor !== 0],
  ]
  return rows.filter(([, , isShown]) => isShown).map(([label, minor]) => [label, money(minor)])
}

export const METHOD_TEXTS: Record<string, string> = {
  cash: 'Cash',
  upi: 'UPI',
  card: 'Card',
  netbanking: 'Net banking',
  bank_transfer: 'Bank transfer',
  cheque: 'Cheque',
  wallet: 'Wallet',
  other: 'Other',
}

const paymentsOf = (document: ShownInvoice): ViewPayment[] =>
  document.payments.map((payment) => ({
    receipt: payment.receiptNumber,
    day: dayText(payment.paidOn),
    method: nonEmpty([METHOD_TEXTS[payment.method], payment.reference]).join(', '),
    amount: payment.amount,
    tds: payment.tdsMinor === 0 ? '' : moneyText(payment.tdsMinor, payment.currency),
    voided: payment.voidedAt !== null,
  }))

function settledOf(document: ShownInvoice): [string, string][] {
  const rows: [string, number][] = [
    ['Received', document.receivedMinor],
    ['Tax deducted at source', document.tdsMinor],
    ['Credit notes', document.creditedMinor],
  ]
  return rows
    .filter(([, minor]) => minor !== 0)
    .map(([label, minor]) => [label, moneyText(-minor, document.currency)])
}

/** Returns the amount that the customer has to pay now; 0 if none. */
export const payableMinor = (document: ShownDocument): number =>
  isInvoice(document) ? payableOf(document) : 0

/** Returns the address for UPI apps (NPCI's linking specification): payee, amount, and note. */
function upiOf({ document, basis, currentVersion }: DocumentSource): DocumentView['upi'] {
  const id = basis.seller?.upiId
  const payable = payableMinor(document)
  if (!id || payable === 0 || document.currency !== 'INR' || document.version < currentVersion) return null
  const fields = {
    pa: id,
    pn: basis.seller!.legalName,
    am: `${Math.floor(payable / 100)}.${String(payable % 100).padStart(2, '0')}`,
    cu: 'INR',
    tn: document.number ?? '',
  }
  // Spaces as %20, because apps don't decode a plus.
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { address: `upi://pay?${query.join('&')}`, id }
}

function sellerOf({ basis: { seller } }: DocumentSource): Party {
  if (!seller) return { name: '', lines: [] }
  return {
    name: seller.legalName,
    lines: nonEmpty([
      ...addressLines(seller.address),
      labelled('GSTIN', seller.gstin),
      labelled('PAN', seller.pan),
      seller.phone,
      seller.email,
    ]),
  }
}

const customerOf = ({ document: { customer } }: DocumentSource): Party => ({
  name: customer.name ?? '',
  lines: nonEmpty([
    ...addressLines(customer.billingAddress as Address | null),
    labelled(customer.gstin && isUin(customer.gstin) ? 'UIN' : 'GSTIN', customer.gstin),
    customer.phone,
    customer.email,
  ]),
})

/** Returns the content of a document, in the order of a page. */
export function viewOf(source: DocumentSource): DocumentView {
  const { document, basis, logo } = source
  const isTaxed = basis.taxScheme === 'regular'
  const shipping = addressLines(document.customer.shippingAddress as Address | null)
  const hasBalance = isInvoice(document) && document.status !== 'draft' && document.status !== 'cancelled'
  return {
    heading: headingOf(document),
    number: document.number ?? '',
    stamp: stampOf(source),
    facts: factsOf(source),
    logo,
    seller: sellerOf(source),
    customer: customerOf(source),
    shipTo: shipping.length > 0 ? { name: 'Ship to', lines: shipping } : null,
    lines: linesOf(document),
    hasPrices: true,
    hasHsn: document.lines.some(({ hsn }) => hsn !== null),
    hasDiscount: document.lines.some((line) => (line.discountPercent ?? 0) + (line.discountMinor ?? 0) > 0),
    isTaxed,
    taxTable: isTaxed ? taxTableOf(document) : null,
    totals: totalsOf(document, isTaxed),
    sum: ['Total', document.total],
    words: amountInWords(document.totalMinor, document.currency),
    payments: isInvoice(document) ? paymentsOf(document) : [],
    settled: isInvoice(document) ? settledOf(document) : [],
    balance: hasBalance ? ['Balance', (document as ShownInvoice).balance] : null,
    bank: basis.seller?.bank ?? null,
    upi: upiOf(source),
    notes: document.notes,
    terms: document.terms,
    declarations: declarationsOf(source),
  }
}
