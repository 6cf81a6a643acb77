import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import {
  findRequestRow,
  findRequestRowByReference,
  listRequestRows,
  listRequestRowsOfContact,
  type RequestRow,
} from '../queries/requests.ts'
import type { PaymentRequest, PaymentRequestFilter } from '../schema.ts'

/** Presents a stored request in answers. */
export const presentRequest = (row: RequestRow): z.input<typeof PaymentRequest> => ({
  id: row.id,
  referenceId: row.referenceId,
  status: row.status,
  conversationId: row.conversationId,
  contactId: row.contactId,
  messageId: row.messageId,
  items: row.items,
  shippingPaise: row.shippingPaise,
  totalPaise: row.totalPaise,
  currency: 'INR',
  body: row.body,
  paymentUrl: row.linkUrl,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  paidPaise: row.paidPaise,
  paymentMethod: row.paymentMethod,
  paymentId: row.paymentId,
  refundedPaise: row.refundedPaise,
  furtherPayments: row.furtherPayments,
  failure: row.failure,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
  paidAt: row.paidAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
})

/**
 * Returns the request named by `ref`: our id, or the caller's order number. Foreign and missing ones are the
 * same 404.
 */
export async function getRequest(ctx: Context, ref: string): Promise<RequestRow> {
  const found = isUuid(ref)
    ? await findRequestRow(ctx, ref.toLowerCase())
    : await findRequestRowByReference(ctx.tx.sql, ctx.workspace, ref)
  return found ?? refuse('not_found', 'Payment request not found. See GET /payment-requests.')
}

export async function listRequests(ctx: Context, filter: PaymentRequestFilter) {
  const { rows, nextCursor } = cutPage(await listRequestRows(ctx, filter), filter.limit, (row) => row.id)
  return { paymentRequests: rows.map(presentRequest), nextCursor }
}

/** Returns the newest payment requests of a contact, and how many there are. */
export async function listRequestsOfContact(ctx: Context, contactId: string, max: number) {
  const { rows, count: total } = await listRequestRowsOfContact(ctx, contactId, max)
  return { items: rows.map(presentRequest), total }
}
