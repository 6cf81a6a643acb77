import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { managing } from '../endpoint-defaults.ts'
import { presentDelivery } from '../registration/present.ts'
import { Delivery, DeliveryFilter, SignatureCheck } from '../schema.ts'
import { listAttempts, redeliver, testWebhook } from './queries/delivery-log.ts'
import { checkSignature } from './signature-check.ts'

const OneDelivery = z.object({ ok: z.literal(true), delivery: Delivery })

export const getWebhookDeliveries = endpoint({
  ...managing,
  name: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  summary: 'List the delivery attempts of an endpoint from the last 7 days, newest first.',
  bucket: 'reads',
  subject: 'webhook',
  query: DeliveryFilter,
  tool: {
    title: 'List webhook deliveries',
    when: 'Use it to learn why a program did not receive an event: set status to failed.',
  },
  replies: { 200: cursorPage('deliveries', Delivery) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => {
    const { webhook, rows, nextCursor } = await listAttempts(ctx, params.id, query)
    return reply(200, {
      deliveries: rows.map((row) => presentDelivery(ctx, webhook, row)),
      nextCursor,
    })
  },
})

export const postWebhookTest = endpoint({
  ...managing,
  name: 'testWebhook',
  method: 'POST',
  path: '/webhooks/:id/test',
  summary: 'Send a signed test event. Its result appears among the deliveries.',
  bucket: 'webhook-changes',
  subject: 'webhook',
  replies: { 202: OneDelivery },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => {
    const { webhook, delivery } = await testWebhook(ctx, params.id)
    return reply(202, { ok: true, delivery: presentDelivery(ctx, webhook, delivery) })
  },
})

export const postRedelivery = endpoint({
  ...managing,
  name: 'redeliver',
  method: 'POST',
  path: '/webhooks/deliveries/:id/redeliver',
  summary: "Send a logged delivery again, with the event's original id and time.",
  bucket: 'webhook-changes',
  subject: 'delivery',
  replies: { 202: OneDelivery },
  refuses: ['not_found', 'no_payload', 'conflict', 'insufficient_scope', 'forbidden'],
  handle: async (ctx, { params }) => {
    const { webhook, delivery } = await redeliver(ctx, params.id)
    return reply(202, { ok: true, delivery: presentDelivery(ctx, webhook, delivery) })
  },
})

export const getDeliverySignature = endpoint({
  ...managing,
  name: 'checkSignature',
  method: 'GET',
  path: '/webhooks/deliveries/:id/signature',
  summary:
    'Show how an attempt was signed: the signed content, and which secret makes which value. The secret is never returned.',
  bucket: 'reads',
  subject: 'delivery',
  replies: {
    200: z.object({ signature: SignatureCheck.meta({ description: 'How the attempt was signed.' }) }),
  },
  refuses: ['not_found', 'insufficient_scope', 'forbidden'],
  handle: async (ctx, { params }) => reply(200, { signature: await checkSignature(ctx, params.id) }),
})
