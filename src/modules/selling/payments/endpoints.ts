import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage } from '../../../core/paging.ts'
import { cancelRequest } from './operations/end-request.ts'
import { getRequest, listRequests, presentRequest } from './operations/read-requests.ts'
import { findRepeated, gatewaySetUp, requestPayment } from './operations/request-payment.ts'
import { CancelBody, PaymentRequest, PaymentRequestBody, PaymentRequestFilter } from './schema.ts'

const read = {
  tag: 'Payments',
  section: '4.7',
  scope: 'payments:read',
  role: 'viewer',
  bucket: 'reads',
} as const

const Answer = z.object({ paymentRequest: PaymentRequest })

const example = {
  to: '+919812345678',
  referenceId: 'ORD-1001',
  items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
  shippingPaise: 4_000,
  body: 'Please pay for order ORD-1001',
  expiresInMinutes: 60,
}

export const postPaymentRequest = endpoint({
  name: 'requestPayment',
  method: 'POST',
  path: '/payment-requests',
  summary: 'Ask a customer to pay inside a conversation.',
  description:
    "Needs an open 24-hour window and a payment gateway (docs/guides/payments.md). Amounts are whole paise, in INR; items and shipping total at most 50,000,000 paise. A second request with the same `referenceId` returns 200 with the first request, whatever its body. After the payment, `payment.paid` is sent, and the payment appears on the customer's lead.",
  tag: 'Payments',
  tool: {
    title: 'Request a payment',
    when: 'Use it to ask a customer for money inside a chat.',
    effect: 'acts',
  },
  section: '4.7',
  scope: 'payments:write',
  role: 'agent',
  bucket: 'payments',
  gates: [gatewaySetUp],
  repeated: findRepeated,
  body: PaymentRequestBody,
  example,
  replies: { 201: Answer, 200: Answer },
  refuses: [
    'not_found',
    'invalid_reference',
    'contact_opted_out',
    'outside_24h_window',
    'number_banned',
    'sending_blocked',
    'quota_exceeded',
    'cannot_send_to_self',
  ],
  handle: async (ctx, { body }) => {
    const { request, created } = await requestPayment(ctx, body)
    return reply(created ? 201 : 200, { paymentRequest: presentRequest(request) })
  },
})

export const getPaymentRequests = endpoint({
  ...read,
  name: 'listPaymentRequests',
  method: 'GET',
  path: '/payment-requests',
  summary: 'List payment requests, newest first.',
  query: PaymentRequestFilter,
  tool: {
    title: 'List payment requests',
    when: 'Use it to see which payments were requested, paid, or failed.',
  },
  replies: { 200: cursorPage('paymentRequests', PaymentRequest) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listRequests(ctx, query)),
})

export const getPaymentRequest = endpoint({
  ...read,
  name: 'getPaymentRequest',
  method: 'GET',
  path: '/payment-requests/:id',
  summary: "Get one payment request with its status. `id` is Parley's id or your `referenceId`.",
  action: { title: 'Get a payment request' },
  subject: 'payment request',
  replies: { 200: Answer },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { paymentRequest: presentRequest(await getRequest(ctx, params.id)) }),
})

export const postPaymentRequestCancel = endpoint({
  name: 'cancelPaymentRequest',
  method: 'POST',
  path: '/payment-requests/:id/cancel',
  summary: 'Cancel an unpaid payment request.',
  description:
    'The payment link stops working, and the customer is notified if the window is open. A payment that was already in progress still counts. Repeated calls change nothing.',
  tag: 'Payments',
  tool: {
    title: 'Cancel a payment request',
    when: 'Use it to cancel a request that the customer has not paid.',
    effect: 'acts',
  },
  section: '4.7',
  scope: 'payments:write',
  role: 'agent',
  bucket: 'payment-cancel',
  subject: 'payment request',
  body: CancelBody,
  bodyOptional: true,
  example: {},
  replies: { 200: Answer },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { paymentRequest: presentRequest(await cancelRequest(ctx, params.id, body)) }),
})
