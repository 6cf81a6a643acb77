import { z } from 'zod'
import { SECOND_MS } from '../../../core/clock.ts'
import type { Advanced } from '../../../core/context.ts'
import { customerPhone } from '../../../core/customer-details.ts'
import { endpoint, outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { type Arrived, simulateInbound } from './operations.ts'
import { ClockBody, InboundBody, SimulateBody } from './schema.ts'
import { type Simulated, simulate } from './simulate.ts'

const write = {
  tag: 'Sandbox',
  section: '4.9',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
} as const

const Now = z.object({
  ok: z.literal(true),
  now: Instant.meta({ description: "The sandbox's time, in UTC." }),
})
const Moved = Now.extend({
  complete: z.boolean().meta({ description: 'Whether time moved forward by the full `advanceSeconds`.' }),
  remainingSeconds: z.number().int().meta({ description: 'Remaining seconds, rounded up.' }),
})

export const postSandboxInbound = endpoint({
  ...write,
  name: 'simulateInboundMessage',
  method: 'POST',
  path: '/sandbox/inbound',
  summary: 'Send a message from a customer to the sandbox number. It arrives like a real message.',
  description:
    'When the call returns, the message has arrived, the window is open, and the events are sent. If processing takes longer than two seconds, the message arrives later.',
  action: { title: 'Write as a sandbox customer' },
  sandboxOnly: true,
  body: InboundBody,
  example: { from: '+919812345678', name: 'Asha Rao', text: 'Is the blue one in stock?' },
  replies: {
    202: z.object({
      ok: z.literal(true),
      messageId: Id,
      from: customerPhone(z.string()).meta({ description: "The customer's number or `chan:<user id>`." }),
    }),
  },
  refuses: ['not_found', 'cannot_send_to_self', 'invalid_reference'],
  // In one transaction: a process that dies in between would keep the Idempotency-Key for two minutes.
  handle: async (ctx, { body }) => reply(202, { ok: true, ...(await simulateInbound(ctx, body)) }),
  // The window must be open when a developer pastes the next command.
  afterwards: ({ workspace, outside }, body) => outside.applyUpdate(workspace, (body as Arrived).messageId),
})

export const postSandboxSimulate = outsideEndpoint({
  ...write,
  name: 'simulateFact',
  method: 'POST',
  path: '/sandbox/simulate',
  summary: 'Simulate an order at a shop, a payment, a missed call, or an answer to a review request.',
  description:
    'Parley receives each as it receives a real report. The effects follow a moment later. No payment happens without this call.',
  sandboxOnly: true,
  body: SimulateBody,
  example: {
    kind: 'order',
    store: 'shopify',
    type: 'order_placed',
    reference: '#1001',
    from: '+919812345678',
    cod: true,
  },
  replies: {
    202: z.object({
      ok: z.literal(true),
      reference: z.string().optional().meta({ description: 'Number of the order (order).' }),
      paymentRequestId: Id.optional().meta({ description: 'Id of the payment request (payment).' }),
      callId: z.string().optional().meta({ description: "The channel's id of the call (call)." }),
      reviewId: Id.optional().meta({ description: 'Id of the review (review).' }),
    }),
  },
  refuses: ['not_found', 'cannot_send_to_self', 'conflict', 'not_available'],
  handle: (request, { body }) =>
    request.answering(
      (simulated: Simulated) => reply(202, { ok: true, ...simulated }),
      (ctx) => simulate(ctx, body),
    ),
})

export const getSandboxClock = endpoint({
  name: 'getSandboxClock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: "Get the sandbox's time.",
  tag: 'Sandbox',
  section: '4.9',
  scope: 'messages:send',
  role: 'viewer',
  bucket: 'reads',
  sandboxOnly: true,
  replies: { 200: Now },
  refuses: ['not_found'],
  handle: async (ctx) => reply(200, { ok: true, now: ctx.now.toISOString() }),
})

export const postSandboxClock = outsideEndpoint({
  name: 'advanceSandboxClock',
  method: 'POST',
  path: '/sandbox/clock',
  summary:
    "Move the sandbox's time forward. When the call returns, everything that falls due until then has happened.",
  description:
    'Runs receipts, windows, webhook retries, rotations, the expiry of idempotency keys, and retention, in the order of their due times. If this takes longer than 80 seconds or 10,000 moments, or if the caller disconnects, time stops there: `complete` is false, and `remainingSeconds` is the rest to request in the next call.',
  tag: 'Sandbox',
  section: '4.9',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'sandbox-clock',
  sandboxOnly: true,
  body: ClockBody,
  example: { advanceSeconds: 86_400 },
  replies: { 200: Moved },
  refuses: ['not_found'],
  handle: (request, { body }) =>
    request.answering(
      ({ now, remainingMs }: Advanced) =>
        reply(200, {
          ok: true,
          now: now.toISOString(),
          complete: remainingMs === 0,
          remainingSeconds: Math.ceil(remainingMs / SECOND_MS),
        }),
      ({ workspace, outside, remember }) =>
        outside.advanceClock(workspace, {
          seconds: body.advanceSeconds,
          callerLeft: request.callerLeft,
          lastly: (tx, clockReply) => remember(tx, clockReply, clockReply.now),
        }),
    ),
})
