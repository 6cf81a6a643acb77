/**
 * The content of a shown document, as texts by place. The page and the PDF are two layouts of it. The page is
 * the record.
 */
import type { z } from 'zod'
import { type Language, localeOf } from '../../../../core/values/languages.ts'
import { moneyText, numberLocale } from '../../../../core/values/money.ts'
import type { StoredBasis } from '../queries/documents.ts'
import { amountInWords } from '../reckoning/amount-in-words.ts'
import { isUin } from '../reckoning/gstin.ts'
import { payableOf } from '../reckoning/payable.ts'
import { stateName } from '../reckoning/states.ts'
import type { SupplyType } from '../reckoning/totals.ts'
import type { Quotation, SalesInvoice } from '../schema.ts'
import type { Address } from '../settings-schema.ts'
import { documentTexts } from '../texts/texts.ts'
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
  /** The language of its customer. */
  language: Language
}

export type Party = { name: string; lines: string[] }
/** `isAcross`: a PDF shows it across each page. */
export type Stamp = { text: string; tone: 'good' | 'bad' | 'plain'; isAcross?: true }
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
  language: Language
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
  /** The amount in words; empty in languages other than English. */
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

export const isInvoice = (document: ShownDocument): document is ShownInvoice => 'documentType' in document

/** Returns the customer's name for the kind of document. */
export const headingOf = (document: ShownDocument, language: Language): string =>
  documentTexts(language).t(isInvoice(document) ? `heading.${document.documentType}` : 'heading.quotation')

const formats = new Map<Language, Intl.DateTimeFormat>()

/** Returns 2026-06-01 as 1 Jun 2026. */
export function dayText(day: string, language: Language): string {
  let format = formats.get(language)
  if (!format) {
    const locale = language === 'en' ? 'en-IN' : localeOf(language)
    format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    formats.set(language, format)
  }
  return format.format(new Date(`${day}T00:00:00Z`))
}

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

const GOOD = new Set(['paid', 'accepted'])
const BAD = new Set(['cancelled', 'declined', 'expired'])

function stampOf({ document, currentVersion, language }: DocumentSource): Stamp | null {
  const { t } = documentTexts(language)
  const { status } = document
  if (document.version < currentVersion)
    return { text: t('stamp.replaced', { version: String(currentVersion) }), tone: 'bad' }
  if (status === 'issued' || status === 'partially_paid') {
    if (isInvoice(document) && document.overdue) return { text: t('stamp.overdue'), tone: 'bad' }
    return status === 'issued' ? null : { text: t('stamp.partially_paid'), tone: 'plain' }
  }
  return {
    text: t(`stamp.${status}`),
    tone: GOOD.has(status) ? 'good' : BAD.has(status) ? 'bad' : 'plain',
    ...(status === 'draft' || status === 'cancelled' ? { isAcross: true } : {}),
  }
}

const ZERO_RATED = 'SUPPLY MEANT FOR EXPORT/SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS'
const WITH_TAX = `${ZERO_RATED} ON PAYMENT OF INTEGRATED TAX`
const UNDER_LUT = `${ZERO_RATED} UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX`
/** The endorsements of Rule 46 of the CGST Rules, in its wording in every language. */
const ENDORSEMENTS: Partial<Record<SupplyType, string>> = {
  sez: WITH_TAX,
  sez_lut: UNDER_LUT,
  export_tax: WITH_TAX,
  export_lut: UNDER_LUT,
}

function factsOf({ document, language }: DocumentSource): [string, string][] {
  const { t } = documentTexts(language)
  const { issueDate, validUntil, reference, placeOfSupply, version } = document
  const dueDate = isInvoice(document) ? document.dueDate : null
  const from = isInvoice(document) ? (document.fromProforma ?? document.fromQuotation) : null
  const facts: [string, string | null][] = [
    [t('fact.date'), issueDate && dayText(issueDate, language)],
    [t('fact.due'), dueDate && dayText(dueDate, language)],
    [t('fact.valid'), validUntil && dayText(validUntil, language)],
    [t('fact.version'), version > 1 ? String(version) : null],
    [t('fact.reference'), reference],
    [t('fact.from'), from?.number ?? null],
    [t('fact.place'), placeOfSupply && `${stateName(placeOfSupply)} (${placeOfSupply})`],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
}

function declarationsOf({ document, basis, language }: DocumentSource): string[] {
  const { t } = documentTexts(language)
  const isTaxDocument = isInvoice(document) && basis.taxScheme === 'regular'
  return nonEmpty([
    basis.taxScheme === 'composition' && isInvoice(document)
      ? 'Composition taxable person, not eligible to collect tax on supplies.'
      : null,
    ENDORSEMENTS[document.supplyType],
    document.reverseCharge ? t('declared.reverse') : isTaxDocument ? t('declared.notReverse') : null,
    isInvoice(document) && document.kind === 'proforma' ? t('declared.proforma') : null,
    document.cancelReason && document.status === 'cancelled'
      ? t('declared.cancelled', { reason: document.cancelReason })
      : null,
  ])
}

const quantityText = (value: number, currency: string, language: Language): string =>
  new Intl.NumberFormat(numberLocale(currency, language), { maximumFractionDigits: 3 }).format(value)

function linesOf({ document, language }: DocumentSource): ViewLine[] {
  const { t } = documentTexts(language)
  const money = (minor: number): string => moneyText(minor, document.currency, language)
  return document.lines.map((line) => {
    const tax = line.cgstMinor + line.sgstMinor + line.igstMinor + line.cessMinor
    const rates = nonEmpty([
      `${line.taxRate} %`,
      line.cessRate ? `+ ${t('tax.cessRate', { rate: String(line.cessRate) })}` : null,
    ])
    return {
      description: line.description,
      hsn: line.hsn ?? '',
      quantity: `${quantityText(line.quantity, document.currency, language)} ${line.unit}`,
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
export const taxName = (
  { document: { reverseCharge }, language }: Pick<DocumentSource, 'document' | 'language'>,
  tax: string,
): string => (reverseCharge ? documentTexts(language).t('tax.reverse', { tax }) : tax)

function totalsOf(source: DocumentSource, isTaxed: boolean): [string, string][] {
  const { document, language } = source
  const { t } = documentTexts(language)
  const money = (minor: number): string => moneyText(minor, document.currency, language)
  const rows: [string, number, boolean][] = [
    [
      isTaxed ? t('tax.taxable') : t('total.sum'),
      document.taxableMinor,
      isTaxed || document.roundOffMinor !== 0,
    ],
    [taxName(source, 'CGST'), document.cgstMinor, document.cgstMinor !== 0],
    [taxName(source, document.stateTax), document.sgstMinor, document.sgstMinor !== 0],
    [taxName(source, 'IGST'), document.igstMinor, document.igstMinor !== 0],
    [taxName(source, t('tax.cess')), document.cessMinor, document.cessMinor !== 0],
    [t('total.rounding'), document.roundOffMinor, document.roundOffMinor !== 0],
  ]
  return rows.filter(([, , isShown]) => isShown).map(([label, minor]) => [label, money(minor)])
}

const paymentsOf = (document: ShownInvoice, language: Language): ViewPayment[] =>
  document.payments.map((payment) => ({
    receipt: payment.receiptNumber,
    day: dayText(payment.paidOn, language),
    method: nonEmpty([documentTexts(language).t(`method.${payment.method}`), payment.reference]).join(', '),
    amount: moneyText(payment.amountMinor, payment.currency, language),
    tds: payment.tdsMinor === 0 ? '' : moneyText(payment.tdsMinor, payment.currency, language),
    voided: payment.voidedAt !== null,
  }))

function settledOf(document: ShownInvoice, language: Language): [string, string][] {
  const { t } = documentTexts(language)
  const rows: [string, number][] = [
    [t('settled.received'), document.receivedMinor],
    [t('settled.tds'), document.tdsMinor],
    [t('settled.credited'), document.creditedMinor],
  ]
  return rows
    .filter(([, minor]) => minor !== 0)
    .map(([label, minor]) => [label, moneyText(-minor, document.currency, language)])
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

/** Returns the amount in words, which only English documents have. */
export const wordsOf = (minor: number, currency: string, language: Language): string =>
  language === 'en' ? amountInWords(minor, currency) : ''

/** Returns the content of a document, in the order of a page. */
export function viewOf(source: DocumentSource): DocumentView {
  const { document, basis, logo, language } = source
  const { t } = documentTexts(language)
  const money = (minor: number): string => moneyText(minor, document.currency, language)
  const isTaxed = basis.taxScheme === 'regular'
  const shipping = addressLines(document.customer.shippingAddress as Address | null)
  const hasBalance = isInvoice(document) && document.status !== 'draft' && document.status !== 'cancelled'
  return {
    language,
    heading: headingOf(document, language),
    number: document.number ?? '',
    stamp: stampOf(source),
    facts: factsOf(source),
    logo,
    seller: sellerOf(source),
    customer: customerOf(source),
    shipTo: shipping.length > 0 ? { name: t('party.shipTo'), lines: shipping } : null,
    lines: linesOf(source),
    hasPrices: true,
    hasHsn: document.lines.some(({ hsn }) => hsn !== null),
    hasDiscount: document.lines.some((line) => (line.discountPercent ?? 0) + (line.discountMinor ?? 0) > 0),
    isTaxed,
    taxTable: isTaxed ? taxTableOf(source) : null,
    totals: totalsOf(source, isTaxed),
    sum: [t('total.total'), money(document.totalMinor)],
    words: wordsOf(document.totalMinor, document.currency, language),
    payments: isInvoice(document) ? paymentsOf(document, language) : [],
    settled: isInvoice(document) ? settledOf(document, language) : [],
    balance: hasBalance ? [t('total.balance'), money((document as ShownInvoice).balanceMinor)] : null,
    bank: basis.seller?.bank ?? null,
    upi: upiOf(source),
    notes: document.notes,
    terms: document.terms,
    declarations: declarationsOf(source),
  }
}
