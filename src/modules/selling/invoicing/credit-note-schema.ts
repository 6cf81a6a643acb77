/** Shapes of credit notes. */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'
import { minor } from './line-schema.ts'

/** Body of `POST /sales-invoices/{id}/credit-notes`. */
export const NewCreditNote = z
  .strictObject({
    amountMinor: minor.min(1, 'Must be at least 1.').meta({ example: 50_000 }),
    reason: requiredText(500),
  })
  .meta({ fields: { reason: 'Reason for the credit note.' } })
export type NewCreditNote = z.output<typeof NewCreditNote>
export const CreditNote = z
  .object({
    id: Id,
    number: z.string(),
    issueDate: z.string(),
    amountMinor: z.int(),
    amount: z.string(),
    taxableMinor: z.int(),
    cgstMinor: z.int(),
    sgstMinor: z.int(),
    igstMinor: z.int(),
    cessMinor: z.int(),
    reason: z.string(),
    createdAt: Instant,
  })
  .meta({
    id: 'CreditNote',
    description: 'A credit note of an invoice.',
    fields: { reason: 'Reason for the credit note.', number: 'Number of the credit note.' },
  })
