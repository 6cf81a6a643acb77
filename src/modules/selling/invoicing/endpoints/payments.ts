import { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import type { RefusalCode } from '../../../../core/errors.ts'
import { documentTurns } from '../document-queue.ts'
import { invoicingOn } from '../gates.ts'
import { recordPayment, voidPayment } from '../operations/payments.ts'
import { presentOneInvoice, presentPayment } from '../operations/present.ts'
import { NewPayment, Payment, PaymentId } from '../payment-schema.ts'
import { Reason, SalesInvoice } from '../schema.ts'

const Answer = z.object({ payment: Payment, invoice: SalesInvoice })
const shared = {
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  scope: 'invoicing:write',
  bucket: 'invoicing-writes',
  subject: 'invoice',
} as const
const refuses: RefusalCode[] = ['not_found', 'conflict']

type Recorded = Awaited<ReturnType<typeof recordPayment>>
const present = async (ctx: Context, { payment, document }: Recorded) => ({
  payment: presentPayment(payment),
  invoice: await presentOneInvoice(ctx, document),
})

export const postSalesInvoicePayment = endpoint({
  ...shared,
  name: 'recordSalesPayment',
  method: 'POST',
  path: '/sales-invoices/:id/payments',
  summary: 'Record a payment of an issued document. The payment gets a receipt number.',
  role: 'agent',
  action: { title: 'Record a payment' },
  body: NewPayment,
  example: { amountMinor: 209_000, tdsMinor: 22_000, method: 'upi', reference: '512345678901' },
  inTurn: documentTurns,
  replies: { 201: Answer },
  refuses,
  handle: async (ctx, { params, body }) =>
    reply(201, await present(ctx, await recordPayment(ctx, params.id, body))),
})

export const postSalesPaymentVoid = endpoint({
  ...shared,
  name: 'voidSalesPayment',
  method: 'POST',
  path: '/sales-invoices/:id/payments/:paymentId/void',
  summary: 'Void a payment. Its receipt keeps its number.',
  role: 'admin',
  params: z.object({ id: z.string(), paymentId: PaymentId }),
  body: Reason,
  example: { reason: 'The cheque bounced.' },
  replies: { 200: Answer },
  refuses,
  handle: async (ctx, { params, body }) =>
    reply(200, await present(ctx, await voidPayment(ctx, params.id, params.paymentId, body.reason))),
})
