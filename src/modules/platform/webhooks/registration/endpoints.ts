import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { managing, read } from '../endpoint-defaults.ts'
import { NewWebhook, Webhook, WebhookPatch } from '../schema.ts'
import {
  changeWebhook,
  deleteWebhookEndpoint,
  registerWebhook,
  requireMovableTo,
  requireRegistrable,
  rotateSecret,
} from './operations.ts'
import { presentWebhook } from './present.ts'
import { listWebhooks } from './queries.ts'
import { rightsOf } from './rights.ts'
import { catalogOf, namesEvents, subscriptionOf } from './subscriptions.ts'

const OneWebhook = z.object({ webhook: Webhook })
const WithSecret = z.object({
  webhook: Webhook,
  secret: z.string().meta({ description: 'The signing secret. It is shown only once.' }),
})

export const getWebhooks = endpoint({
  ...read,
  name: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List the webhook endpoints.',
  tool: {
    title: 'List webhook endpoints',
    when: 'Use it to find the id of a webhook endpoint, and whether it is turned off.',
  },
  replies: { 200: z.object({ webhooks: z.array(Webhook) }) },
  refuses: [],
  handle: async (ctx) =>
    reply(200, { webhooks: (await listWebhooks(ctx)).map((row) => presentWebhook(ctx, row)) }),
})

export const postWebhook = endpoint({
  ...managing,
  name: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Register a webhook endpoint. The response contains its signing secret, which is shown only once.',
  description:
    'Subscribes to every event, to a list (`events`), or to one event (`event`). A key with a role below admin, or a key limited to scopes, must name events that it can read.',
  bucket: 'webhook-create',
  body: NewWebhook,
  example: { url: 'https://example.com/hooks', events: ['message.received', 'message.status'] },
  replies: { 201: WithSecret },
  refuses: ['conflict', 'insufficient_scope', 'forbidden'],
  prepare: async ({ workspace, actor, outside, transaction }, { body }) => {
    await transaction((ctx) => {
      subscriptionOf(catalogOf(ctx.eventKinds), rightsOf(actor), body)
      // Errors in the address come before errors that depend on the workspace (docs/clarifications.md "Order
      // of refusals").
      outside.refuseWebhookAddress(body.url, 'url')
      return requireRegistrable(ctx, body.url)
    })
    await outside.checkWebhookAddress(workspace, body.url, 'url')
  },
  handle: async (ctx, { body }) => {
    const { webhook, secret } = await registerWebhook(ctx, body)
    return reply(201, { webhook: presentWebhook(ctx, webhook), secret })
  },
})

export const patchWebhook = endpoint({
  ...managing,
  name: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/:id',
  summary: 'Pause or resume a webhook endpoint, or change its events, own headers, or address.',
  description:
    'After a resume, Parley sends the events that were waiting. A new address is checked as at registration. If it is on another host, send every own header with its value.',
  bucket: 'webhook-changes',
  subject: 'webhook',
  body: WebhookPatch,
  example: { active: false },
  replies: { 200: OneWebhook },
  refuses: ['not_found', 'conflict', 'insufficient_scope', 'forbidden'],
  prepare: async ({ workspace, actor, outside, transaction }, { params, body: { url, ...body } }) => {
    if (url === undefined && !namesEvents(body)) return
    await transaction(async (ctx) => {
      if (namesEvents(body)) subscriptionOf(catalogOf(ctx.eventKinds), rightsOf(actor), body)
      if (url !== undefined) await requireMovableTo(ctx, params.id, url)
    })
    if (url !== undefined) await outside.checkWebhookAddress(workspace, url, 'url')
  },
  handle: async (ctx, { params, body }) =>
    reply(200, { webhook: presentWebhook(ctx, await changeWebhook(ctx, params.id, body)) }),
})

export const postWebhookRotation = endpoint({
  ...managing,
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/:id/rotate',
  summary: 'Create a new signing secret. The old secret also signs for 24 hours.',
  bucket: 'webhook-rotation',
  critical: true,
  subject: 'webhook',
  replies: { 200: WithSecret },
  refuses: ['not_found', 'insufficient_scope', 'forbidden'],
  handle: async (ctx, { params }) => {
    const { webhook, secret } = await rotateSecret(ctx, params.id)
    return reply(200, { webhook: presentWebhook(ctx, webhook), secret })
  },
})

export const deleteWebhook = endpoint({
  ...managing,
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Delete a webhook endpoint and its waiting events. Repeated calls change nothing.',
  bucket: 'webhook-changes',
  subject: 'webhook',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.boolean() }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { ok: true, deleted: await deleteWebhookEndpoint(ctx, params.id) }),
})
