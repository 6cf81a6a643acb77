/** Shapes of the lines of a document. */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { MAX_MINOR } from '../../../core/values/money.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'

export const minor = z
  .int(`Must be a whole number of minor units from 0 to ${MAX_MINOR}.`)
  .min(0, `Must be a whole number of minor units from 0 to ${MAX_MINOR}.`)
  .max(MAX_MINOR, `Must be a whole number of minor units from 0 to ${MAX_MINOR}.`)
const hasThreeDecimals = (value: number): boolean => Math.round(value * 1_000) / 1_000 === value
const threeDecimals = (max: number) =>
  z
    .number()
    .min(0, 'Must be at least 0.')
    .max(max, `Must be at most ${max}.`)
    .refine(hasThreeDecimals, 'Must have at most three decimals.')
const percent = threeDecimals(100)

export const Line = z
  .strictObject({
    description: requiredText(300).meta({ example: 'Kurta' }),
    hsn: z
      .string()
      .regex(/^[0-9]{4,8}$/, 'Must be 4 to 8 digits.')
      .nullable()
      .optional(),
    quantity: threeDecimals(1_000_000_000)
      .refine((value) => value > 0, 'Must be more than 0.')
      .meta({ example: 2 }),
    unit: requiredText(20).default('NOS'),
    unitMinor: minor.meta({ example: 110_000 }),
    discountPercent: percent.optional(),
    discountMinor: minor.optional(),
    taxRate: percent.default(0).meta({ example: 5 }),
    cessRate: percent.optional(),
  })
  .refine((line) => line.discountPercent === undefined || line.discountMinor === undefined, {
    path: ['discountMinor'],
    message: 'Must be left out when discountPercent is sent.',
  })
  .meta(component('SalesLineInput', 'A line of a new document.'))
export type Line = z.output<typeof Line>

export const ReckonedLine = z
  .object({
    ...Line.shape,
    hsn: z.string().nullable(),
    unit: z.string(),
    taxRate: z.number(),
    taxableMinor: z.int(),
    cgstMinor: z.int(),
    sgstMinor: z.int(),
    igstMinor: z.int(),
    cessMinor: z.int(),
  })
  .meta(component('SalesLine', 'A line of a document, with its taxes.'))
