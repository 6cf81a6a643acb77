/** Documents and payments in events, and in the timeline of the customer's lead. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { type EventKind, emit, touch } from '../../../../core/event.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { addTimelineEntries } from '../../crm/operations/timeline-entries.ts'
import type { InvoiceInEvent, QuotationInEvent } from '../events.ts'
import { isOn } from '../gates.ts'
import type { DocumentRow, PaymentRow } from '../queries/documents.ts'
import type { HeldDocument } from './find-document.ts'
import { linkOf, presentPayment, shownKind } from './present.ts'

export function quotationInEvent(ctx: Context, row: DocumentRow): z.input<typeof QuotationInEvent> {
  const { name, phone, email } = row.customer
  return {
    id: row.id,
    number: row.number!,
    status: row.status,
    version: row.version,
    issueDate: row.issueDate!,
    validUntil: row.validUntil,
    currency: row.currency,
    totalMinor: row.totalMinor,
    total: moneyText(row.totalMinor, row.currency),
    customer: { contactId: row.contactId, name, phone, email },
    url: linkOf(ctx, row),
  }
}

export const invoiceInEvent = (ctx: Context, row: DocumentRow): z.input<typeof InvoiceInEvent> => ({
  ...quotationInEvent(ctx, row),
  kind: shownKind(row),
  dueDate: row.dueDate,
  taxableMinor: row.taxableMinor,
  taxMinor: row.taxMinor,
  receivedMinor: row.receivedMinor,
  tdsMinor: row.tdsMinor,
  balanceMinor: row.balanceMinor,
  balance: moneyText(row.balanceMinor, row.currency),
  bookingId: row.bookingId,
})

export function paymentInEvent(row: PaymentRow) {
  const { voidedAt: _, voidReason: __, ...payment } = presentPayment(row)
  return payment
}

/**
 * Fires an event about a document. With the module turned off, payments are still recorded, and no event
 * fires (spec 6.1).
 */
export function announce<Data extends z.ZodObject>(
  ctx: Context,
  kind: EventKind<Data>,
  data: z.input<Data>,
  { id, contactId }: Pick<DocumentRow, 'id' | 'contactId'>,
): void {
  if (isOn(ctx.workspace)) emit(ctx, kind, data, { contactId })
  else touch(ctx, { salesDocument: id })
}

/** Adds an entry to the timeline of the customer's lead, if there is one. */
export const addToStory = (
  ctx: Context,
  { document, lead }: HeldDocument,
  kind: string,
  data: Record<string, unknown> = {},
): Promise<void> =>
  addTimelineEntries(
    ctx,
    lead
      ? [
          {
            leadId: lead.id,
            kind,
            customerId: null,
            data: {
              documentId: document.id,
              documentKind: document.kind,
              number: document.number,
              totalMinor: document.totalMinor,
              currency: document.currency,
              ...data,
            },
          },
        ]
      : [],
  )
