import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { startOfDay } from '../../../core/values/calendar.ts'
import { nullableText, requiredText } from '../../messaging/contacts/schema.ts'
import { isGstin, isSeller, stateOfGstin } from './reckoning/gstin.ts'
import { documentNumber, isDocumentNumber } from './reckoning/numbers.ts'
import { stateCode } from './reckoning/states.ts'
import { TAX_SCHEMES } from './reckoning/totals.ts'

const DAY_FORM = 'Must be a day, such as 2026-06-01.'
/** A day in the workspace's zone. */
export const Day = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, DAY_FORM)
  .refine((day) => startOfDay(day, 'UTC') !== undefined, DAY_FORM)
  .refine((day) => day >= '2000-01-01', 'Must be in the year 2000 or later.')
  .meta({ example: '2026-06-01' })

/** A GSTIN or UIN in capitals, with a valid check digit. */
export const Gstin = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .refine(
    isGstin,
    'Must be a GSTIN or UIN: 15 characters that start with the state and end with a check digit.',
  )
  .meta({ example: '27AAPFU0939F1ZV' })

export const Address = z
  .strictObject({
    line1: requiredText(200),
    line2: nullableText(200).optional(),
    city: requiredText(100),
    state: requiredText(100).meta({ description: 'State; in India, its name or GST code.' }),
    postalCode: requiredText(20),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'Must be a country of two capital letters, such as IN.')
      .default('IN'),
  })
  .refine(({ country, state }) => country !== 'IN' || stateCode(state) !== undefined, {
    path: ['state'],
    message: 'Must be a state of India, by its name or its GST code.',
  })
export type Address = z.output<typeof Address>

/** An address in a response. */
export const AddressShown = z.object({
  line1: z.string(),
  line2: z.string().nullable().optional(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  country: z.string(),
})

export const SELLER_FIELDS = {
  legalName: 'Legal name of the business.',
  address: 'Address of the business.',
  'address.state': 'State; in India by its name or its GST code.',
  pan: 'Income tax number (PAN), such as `AAPFU0939F`; null without one.',
  bank: 'Bank account as it is printed, such as account number and IFSC; null for none.',
  upiId: 'UPI id for payments, such as `asha@upi`; null for none.',
  logoMediaId: 'Id of the logo, from `POST /media`; null for none.',
  email: 'Email address on documents; null for none.',
  phone: 'Phone number on documents; null for none.',
}

const Seller = z
  .strictObject({
    legalName: requiredText(200),
    address: Address,
    gstin: Gstin.refine(
      isSeller,
      'Must be the GSTIN that you sell with, not a UIN or a GSTIN for deducting or collecting tax.',
    )
      .nullable()
      .optional(),
    pan: z
      .string()
      .regex(/^[A-Z]{5}[0-9]{4}[A-Z]$/, 'Must be a PAN, such as AAPFU0939F.')
      .nullable()
      .optional(),
    email: nullableText(254).optional(),
    phone: nullableText(40).optional(),
    bank: nullableText(500)
      .optional()
      .meta({ description: 'Account number and IFSC, as printed on documents.' }),
    upiId: nullableText(100).optional(),
    logoMediaId: nullableText(256).optional().meta({
      description: 'Id of a JPEG or PNG from `POST /media`, at most 512 KB.',
    }),
  })
  .refine(
    ({ gstin, address }) =>
      !gstin || (address.country === 'IN' && stateOfGstin(gstin) === stateCode(address.state)),
    { path: ['gstin'], message: 'Must start with the state of the address.' },
  )
  .meta({ fields: SELLER_FIELDS })
export type Seller = z.output<typeof Seller>

const SERIES = ['invoice', 'proforma', 'quotation', 'receipt', 'voucher', 'creditNote'] as const
export type SeriesName = (typeof SERIES)[number]

const MAX_DIGITS = 8
const NUMBER_SERIES_FIELDS = {
  prefix: 'Start of the number; `{FY}` becomes the financial year, such as 26-27.',
  digits: 'Minimum number of digits after the prefix.',
}

const NumberSeries = z
  .strictObject({
    prefix: z.string().meta({
      description: 'Start of the number. `{FY}` becomes the financial year, such as 26-27.',
      example: 'INV/{FY}/',
    }),
    digits: z.int().min(1, 'Must be at least 1.').max(MAX_DIGITS, `Must be at most ${MAX_DIGITS}.`),
  })
  // Also runs after the check of `digits` above failed. A number with that many digits must not be built.
  .refine(
    (series) =>
      series.digits > MAX_DIGITS ||
      isDocumentNumber(documentNumber(series, '2026-04-01', 10 ** series.digits - 1)),
    {
      path: ['prefix'],
      message: 'Must make numbers of at most 16 letters, digits, / and -.',
    },
  )
  .meta({ ...component('NumberSeriesInput', 'How documents are numbered.'), fields: NUMBER_SERIES_FIELDS })
const seriesOf = (short: string) => NumberSeries.prefault({ prefix: `${short}/{FY}/`, digits: 4 })

const AllSeries = z
  .strictObject({
    invoice: seriesOf('INV'),
    proforma: seriesOf('PRO'),
    quotation: seriesOf('QTN'),
    receipt: seriesOf('RCT'),
    voucher: seriesOf('VCH'),
    creditNote: seriesOf('CRN'),
  })
  .refine(
    (allSeries) => new Set(Object.values(allSeries).map(({ prefix }) => prefix)).size === SERIES.length,
    {
      message: 'Must be different for each series.',
    },
  )

const days = z.int().min(0, 'Must be at least 0.').max(3650, 'Must be at most 3650.').nullable().default(null)

const SALES_SETTINGS_FIELDS = {
  seller: 'The seller; null until it is set.',
  taxScheme: 'How the business is taxed.',
  pricesIncludeTax: 'Whether entered prices include tax.',
  roundToUnit: 'Whether totals are rounded to whole rupees.',
  hsnDigits: 'Digits of HSN that lines for registered customers need: 0, 4, or 6.',
  financialYearStart: 'First day of the financial year, such as `04-01`.',
  series: 'How documents are numbered, by kind.',
  'series.invoice': 'Numbers of invoices.',
  'series.proforma': 'Numbers of proforma invoices.',
  'series.quotation': 'Numbers of quotations.',
  'series.receipt': 'Numbers of receipts.',
  'series.voucher': 'Numbers of receipt vouchers.',
  'series.creditNote': 'Numbers of credit notes.',
  dueDays: 'Days from issue to due date; null for no due date.',
  validDays: 'Days that quotations are valid; null for no limit.',
  booksLockedUntil:
    'Last day whose documents and payments can no longer be changed, such as `2026-03-31`; null for none.',
  retentionYears: 'Years that documents are kept.',
}

/** Body of `PUT /sales-settings`. Missing fields take their defaults. */
export const SalesSettings = z
  .strictObject({
    seller: Seller.nullable().default(null),
    taxScheme: z.enum(TAX_SCHEMES).default('none'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, {
        error: 'Must be a currency of three capital letters, such as INR.',
        abort: true,
      })
      .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'Must be a currency.')
      .default('INR')
      .meta({ description: 'Currency code (ISO 4217). Fixed when the first document is issued.' }),
    pricesIncludeTax: z.boolean().default(false),
    roundToUnit: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether totals are rounded to whole rupees.' }),
    hsnDigits: z
      .union([z.literal(0), z.literal(4), z.literal(6)], 'Must be 0, 4, or 6.')
      .default(0)
      .meta({
        description: 'Digits of the HSN code on lines for registered customers; 0 for none.',
      }),
    financialYearStart: z
      .string()
      .regex(/^(0[1-9]|1[0-2])-01$/, 'Must be the first day of a month, such as 04-01.')
      .default('04-01'),
    series: AllSeries.prefault({}),
    dueDays: days,
    validDays: days,
    terms: nullableText(2000).default(null),
    booksLockedUntil: Day.nullable().default(null).meta({
      description:
        'Last day whose documents and payments can no longer be changed, such as `2026-03-31`; null for none.',
    }),
    retentionYears: z.int().min(8, 'Must be at least 8.').max(100, 'Must be at most 100.').default(8),
  })
  .meta({ fields: SALES_SETTINGS_FIELDS })
export type SalesSettings = z.output<typeof SalesSettings>

const orNull = z.string().nullable().optional()
const NumberSeriesShown = z
  .object({ prefix: z.string(), digits: z.int() })
  .meta({ ...component('NumberSeries', 'How documents are numbered.'), fields: NUMBER_SERIES_FIELDS })

/** The seller in a response. */
export const SellerShown = z
  .object({
    legalName: z.string(),
    address: AddressShown,
    gstin: orNull,
    pan: orNull,
    email: orNull,
    phone: orNull,
    bank: orNull,
    upiId: orNull,
    logoMediaId: orNull,
  })
  .meta({ fields: SELLER_FIELDS })

/** A workspace's sales settings: the seller, the taxes, and the numbers of documents. */
export const SalesSettingsShown = z
  .object({
    seller: SellerShown.nullable(),
    taxScheme: z.enum(TAX_SCHEMES),
    currency: z.string(),
    pricesIncludeTax: z.boolean(),
    roundToUnit: z.boolean(),
    hsnDigits: z.int(),
    financialYearStart: z.string(),
    series: z.object({
      invoice: NumberSeriesShown,
      proforma: NumberSeriesShown,
      quotation: NumberSeriesShown,
      receipt: NumberSeriesShown,
      voucher: NumberSeriesShown,
      creditNote: NumberSeriesShown,
    }),
    dueDays: z.int().nullable(),
    validDays: z.int().nullable(),
    terms: z.string().nullable(),
    booksLockedUntil: z.string().nullable(),
    retentionYears: z.int(),
  })
  .meta({
    id: 'SalesSettings',
    description: 'How the workspace sells: seller, tax, and numbers of documents.',
    fields: SALES_SETTINGS_FIELDS,
  })
