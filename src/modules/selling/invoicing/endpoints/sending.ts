/**
 * Sends documents. Sending costs money and can't be undone, so it pauses while the limiter is unreachable
 * (spec 7.1).
 */
import { outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { SEND_REFUSALS } from '../../../messaging/messages/sending/send-schema.ts'
import { invoicingOn } from '../gates.ts'
import { INVOICES, QUOTATIONS } from '../operations/find-document.ts'
import { type SentDocument as Sent, sendDocument } from '../operations/send-document.ts'
import { SendDocument, SentDocument } from '../schema.ts'

const shared = {
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  scope: 'invoicing:write',
  role: 'agent',
  bucket: 'invoicing-writes',
  critical: true,
  description:
    'In a chat, the customer receives the PDF while the 24-hour window is open, otherwise the template in `templateId`, filled with name, number, amount, date, and link. An email contains the link. `via: link` sends nothing and records that a teammate shares the link.',
  body: SendDocument,
  replies: { 200: SentDocument },
} as const

export const postSalesInvoiceSend = outsideEndpoint({
  ...shared,
  name: 'sendSalesInvoice',
  method: 'POST',
  path: '/sales-invoices/:id/send',
  summary: 'Send an issued invoice or proforma invoice in the chat, by email, or as a link.',
  subject: 'invoice',
  example: { via: 'chat', message: 'Thank you for your order.' },
  tool: {
    title: 'Send an invoice',
    when: 'Use it to send an issued invoice to its customer.',
    effect: 'acts',
  },
  refuses: ['not_found', 'conflict', ...SEND_REFUSALS],
  handle: (request, { params, body }) =>
    request.answering(
      (sent: Sent) => reply(200, sent),
      (ctx) => sendDocument(ctx, { id: params.id, kinds: INVOICES, body }),
    ),
})

export const postQuotationSend = outsideEndpoint({
  ...shared,
  name: 'sendQuotation',
  method: 'POST',
  path: '/quotations/:id/send',
  summary: 'Send an issued quotation in the chat, by email, or as a link.',
  action: { title: 'Send a quotation' },
  subject: 'quotation',
  example: { via: 'link' },
  refuses: ['not_found', 'conflict', ...SEND_REFUSALS],
  handle: (request, { params, body }) =>
    request.answering(
      (sent: Sent) => reply(200, sent),
      (ctx) => sendDocument(ctx, { id: params.id, kinds: QUOTATIONS, body }),
    ),
})
