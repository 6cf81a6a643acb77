/** Shapes of the payments of invoices. */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { nullableText } from '../../messaging/contacts/schema.ts'
import { minor } from './line-schema.ts'
import { Day } from './settings-schema.ts'

export const METHODS = [
  'cash',
  'upi',
  'card',
  'netbanking',
  'bank_transfer',
  'cheque',
  'wallet',
  'other',
] as const

export const PAYMENT_FIELDS = {
  method: 'How it was paid.',
  reference: 'Reference of the payment, such as a UTR number; null for none.',
  source: 'Source of the payment record: your team (`manual`) or a payment gateway.',
  voidReason: 'Why the payment was voided; null if it was not.',
  paidOn: 'Date of the payment, such as `2026-06-01`.',
}

/** A payment's id in a path. */
export const PaymentId = z.string().meta({ description: 'Id of the payment.' })

export const NewPayment = z
  .strictObject({
    amountMinor: minor.meta({ example: 209_000 }),
    tdsMinor: minor.default(0).meta({
      description: 'Tax deducted at source by the customer. It reduces the balance and is not income.',
    }),
    paidOn: Day.optional(),
    method: z.enum(METHODS),
    reference: nullableText(64).optional(),
  })
  .refine(({ amountMinor, tdsMinor }) => amountMinor + tdsMinor > 0, {
    path: ['amountMinor'],
    message: 'Must be more than 0, including tdsMinor.',
  })
  .meta({ fields: PAYMENT_FIELDS })
export type NewPayment = z.output<typeof NewPayment>

export const Payment = z
  .object({
    id: Id,
    receiptNumber: z.string(),
    amountMinor: z.int(),
    amount: z.string(),
    tdsMinor: z.int(),
    currency: z.string(),
    paidOn: z.string(),
    method: z.enum(METHODS),
    reference: z.string().nullable(),
    source: z.enum(['manual', 'gateway']),
    voidedAt: Instant.nullable(),
    voidReason: z.string().nullable(),
  })
  .meta({ id: 'SalesPayment', description: 'A payment of an invoice.', fields: PAYMENT_FIELDS })
