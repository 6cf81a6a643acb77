import { z } from 'zod'
import { SECOND_MS } from '../../core/clock.ts'
import type { Advanced } from '../../core/context.ts'
import { endpoint, reply } from '../../core/endpoint.ts'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { simulateInbound } from './operations.ts'
import { ClockBody, InboundBody, SimulateBody } from './schema.ts'
import { type Simulated, simulate } from './simulate.ts'

const Now = z.object({
  ok: z.literal(true),
  now: Instant.meta({ description: "The sandbox's time, in UTC." }),
})
const Moved = Now.extend({
  complete: z.boolean().meta({ description: 'Whether time was moved by all that was asked for.' }),
  remainingSeconds: z.number().int().meta({ description: 'What is left of it, rounded up.' }),
})

export const postSandboxInbound = endpoint({
  name: 'simulateInboundMessage',
  method: 'POST',
  path: '/sandbox/inbound',
  summary: 'A customer writes to the sandbox number; the message arrives like a real one.',
  description:
    'It has arrived when this answers: the window is open, the events are sent. Only where something holds it up for longer than two seconds it arrives later.',
  tag: 'Sandbox',
  section: '4.9',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
  sandboxOnly: true,
  body: InboundBody,
  example: { from: '+919812345678', name: 'Asha Rao', text: 'Is the blue one in stock?' },
  replies: {
    202: z.object({
      ok: z.literal(true),
      messageId: Id,
      from: z.string().meta({ description: "The customer's number or `chan:<user id>`." }),
    }),
  },
  refuses: ['not_found', 'cannot_send_to_self', 'invalid_reference'],
  handle: async (ctx, { body }) => reply(202, { ok: true, ...(await simulateInbound(ctx, body)) }),
  // The window must be open when a developer pastes the next command.
  afterwards: ({ workspace, outside }, reply) =>
    outside.applyUpdate(workspace, (reply as { messageId: string }).messageId),
})

export const postSandboxSimulate = endpoint({
  name: 'simulateFact',
  method: 'POST',
  path: '/sandbox/simulate',
  summary:
    'A shop reports an order, a customer pays, calls without being answered, or answers a review request.',
  description:
    'Each is reported like a real one, through the same intake; what follows from it happens a moment later. Nothing pays by itself.',
  tag: 'Sandbox',
  section: '4.9',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
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
      reference: z.string().optional().meta({ description: 'Of an order.' }),
      paymentRequestId: Id.optional().meta({ description: 'Id of the payment request (payment).' }),
      callId: z.string().optional().meta({ description: "The channel's id of the call (call)." }),
      reviewId: Id.optional().meta({ description: 'Id of the review (review).' }),
    }),
  },
  refuses: ['not_found', 'cannot_send_to_self', 'conflict', 'not_available'],
  handleOutside: (request, { body }) =>
    request.answering(
      (simulated: Simulated) => reply(202, { ok: true, ...simulated }),
      (ctx) => simulate(ctx, body),
    ),
})

export const getSandboxClock = endpoint({
  name: 'getSandboxClock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: "The sandbox's time.",
  tag: 'Sandbox',
  section: '4.9',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'reads',
  sandboxOnly: true,
  replies: { 200: Now },
  refuses: ['not_found'],
  handle: async (ctx) => reply(200, { ok: true, now: ctx.now.toISOString() }),
})

export const postSandboxClock = endpoint({
  name: 'advanceSandboxClock',
  method: 'POST',
  path: '/sandbox/clock',
  summary: "Move the sandbox's time forward; what falls due on the way has happened when this answers.",
  description:
    'Runs receipts, windows, webhook retries, rotations, idempotency memory and retention in the order of their due times. ' +
    'Where so much falls due that it takes longer than 80 seconds or 10,000 moments, or the caller leaves, time stops there: ' +
    '`complete` is false, `remainingSeconds` is what is left to ask for again.',
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
  handleOutside: (request, { body }) =>
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
