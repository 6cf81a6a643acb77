import { z } from 'zod'
import { type Endpoint, endpoint, reply } from '../../../core/endpoint.ts'
import type { EventKind } from '../../../core/event.ts'
import { cursorPage, cursorQuery, placeInList } from '../../../core/paging.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { listAttempts, redeliver, sampleEvents, testWebhook } from '../delivery/delivery-log.ts'
import { readEventLog } from '../event-log/event-log.ts'
import { replayEvents } from '../event-log/replay.ts'
import { triggerEvent } from '../event-log/trigger.ts'
import {
  Delivery,
  EventDescription,
  EventSample,
  eventNamesInQuery,
  LoggedEvent,
  NewWebhook,
  Replay,
  TriggeredEvent,
  Webhook,
  WebhookPatch,
} from '../schema.ts'
import {
  changeWebhook,
  registerWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookTools,
} from './operations.ts'
import { presentDelivery, presentWebhook } from './present.ts'
import { listWebhooks } from './queries.ts'
import { rightsOf } from './rights.ts'
import { catalogOf, namesEvents, subscriptionOf } from './subscriptions.ts'

const face = { tag: 'Webhooks', section: '4.8' } as const
/** Keys below admin manage what they registered, when their scope list says so. */
const managing = { ...face, scope: 'webhooks:manage', role: 'admin', scopeOverRole: true } as const
const reading = { ...face, scope: 'webhooks:read', role: 'viewer', bucket: 'reads' } as const

const OneWebhook = z.object({ webhook: Webhook })
const WithSecret = z.object({
  webhook: Webhook,
  secret: z.string().meta({ description: 'The signing secret: shown this once.' }),
})
const OneDelivery = z.object({ ok: z.literal(true), delivery: Delivery })

const readingEndpoints = ({ catalog }: WebhookTools): Endpoint[] => [
  endpoint({
    ...reading,
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhook endpoints.',
    replies: { 200: z.object({ webhooks: z.array(Webhook) }) },
    refuses: [],
    handle: async (ctx) =>
      reply(200, { webhooks: (await listWebhooks(ctx)).map((row) => presentWebhook(ctx, row)) }),
  }),
  endpoint({
    ...reading,
    method: 'GET',
    path: '/webhooks/events',
    summary: 'Every event that can be subscribed to, with its meaning and payload.',
    replies: { 200: z.object({ events: z.array(EventDescription) }) },
    refuses: [],
    handle: async () => reply(200, { events: [...catalog.values()].map(describe) }),
  }),
  endpoint({
    ...reading,
    method: 'GET',
    path: '/webhooks/samples/:event',
    summary: 'The latest real deliveries of an event, or its documented example.',
    description:
      'Real ones are shown to an admin key without scopes of its own, or to a key with webhooks:manage that may read the event.',
    params: z.object({ event: z.string() }),
    replies: {
      200: z.object({
        event: z.string(),
        real: z.boolean().meta({ description: 'False: the documented example.' }),
        samples: z.array(EventSample),
      }),
    },
    refuses: ['not_found'],
    handle: async (ctx, { params }) =>
      reply(200, { event: params.event, ...(await sampleEvents(ctx, catalog, params.event)) }),
  }),
  endpoint({
    ...reading,
    method: 'GET',
    path: '/events',
    section: '6',
    summary: "The workspace's event log of the last 7 days.",
    description:
      'Newest first. With `after` it begins behind that event and goes oldest first, so that a consumer can carry on ' +
      'where it stopped: read pages by `nextCursor`, and when there is none ask again with `resumeAfter` as `after`. ' +
      'An event of a transaction that took long then comes late, and is never missed. Shows the events that the key may read.',
    query: z.object({
      ...cursorQuery,
      events: eventNamesInQuery,
      after: placeInList('must be the id of an event')
        .optional()
        .meta({ description: 'An event id; what came after it, oldest first.' }),
    }),
    replies: {
      200: cursorPage('events', LoggedEvent).extend({
        resumeAfter: z.string().nullable().meta({
          description:
            'What to give as `after` to go on from here without missing an event; null: there is nothing to go on from yet, ask again without `after`.',
        }),
      }),
    },
    refuses: ['insufficient_scope', 'forbidden'],
    handle: async (ctx, { query }) => {
      const { rows, ...places } = await readEventLog(ctx, catalog, query)
      return reply(200, {
        events: rows.map(({ id, name, data, createdAt }) => ({
          id,
          event: name,
          createdAt: createdAt.toISOString(),
          data,
        })),
        ...places,
      })
    },
  }),
]

const changingEndpoints = (tools: WebhookTools): Endpoint[] => [
  endpoint({
    ...managing,
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook endpoint; answers with its signing secret, once.',
    description:
      'Subscribes to every event, to a list (`events`) or to one (`event`). A key below admin, or one narrowed to scopes, names events that it may read.',
    bucket: 'webhook-create',
    secretAnswer: true,
    body: NewWebhook,
    example: { url: 'https://example.com/hooks', events: ['message.received', 'message.status'] },
    replies: { 201: WithSecret },
    refuses: ['conflict', 'insufficient_scope', 'forbidden'],
    prepare: async ({ actor, outside }, { body }) => {
      subscriptionOf(tools.catalog, rightsOf(actor), body)
      await outside.checkWebhookAddress(body.url, 'url')
    },
    handle: async (ctx, { body }) => {
      const { webhook, secret } = await registerWebhook(ctx, tools, body)
      return reply(201, { webhook: presentWebhook(ctx, webhook), secret })
    },
  }),
  endpoint({
    ...managing,
    method: 'PATCH',
    path: '/webhooks/:id',
    summary: 'Pause or resume an endpoint, change its events, or move it.',
    description: 'Resuming sends what waited meanwhile. A new address is checked like a registration.',
    bucket: 'webhook-changes',
    subject: 'webhook',
    body: WebhookPatch,
    example: { active: false },
    replies: { 200: OneWebhook },
    refuses: ['not_found', 'conflict', 'insufficient_scope', 'forbidden'],
    prepare: async ({ actor, outside }, { body }) => {
      if (namesEvents(body)) subscriptionOf(tools.catalog, rightsOf(actor), body)
      if (body.url !== undefined) await outside.checkWebhookAddress(body.url, 'url')
    },
    handle: async (ctx, { params, body }) =>
      reply(200, { webhook: presentWebhook(ctx, await changeWebhook(ctx, tools, params.id, body)) }),
  }),
  endpoint({
    ...managing,
    method: 'POST',
    path: '/webhooks/:id/rotate',
    summary: 'A new signing secret; the old one signs alongside for 24 hours.',
    bucket: 'webhook-rotation',
    critical: true,
    secretAnswer: true,
    subject: 'webhook',
    replies: { 200: WithSecret },
    refuses: ['not_found', 'insufficient_scope', 'forbidden'],
    handle: async (ctx, { params }) => {
      const { webhook, secret } = await rotateSecret(ctx, tools, params.id)
      return reply(200, { webhook: presentWebhook(ctx, webhook), secret })
    },
  }),
  endpoint({
    ...managing,
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Remove an endpoint and what waits for it; repeating it is harmless.',
    bucket: 'webhook-changes',
    subject: 'webhook',
    replies: { 200: z.object({ ok: z.literal(true), deleted: z.boolean() }) },
    refuses: ['not_found'],
    handle: async (ctx, { params }) => reply(200, { ok: true, deleted: await removeWebhook(ctx, params.id) }),
  }),
]

const sendingEndpoints = ({ catalog }: WebhookTools): Endpoint[] => [
  endpoint({
    ...managing,
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: 'The attempts of an endpoint, kept 7 days, the newest first.',
    bucket: 'reads',
    subject: 'webhook',
    query: z.object(cursorQuery),
    replies: { 200: cursorPage('deliveries', Delivery) },
    refuses: ['not_found'],
    handle: async (ctx, { params, query }) => {
      const { webhook, rows, nextCursor } = await listAttempts(ctx, params.id, query)
      return reply(200, {
        deliveries: rows.map((row) => presentDelivery(ctx, catalog, webhook, row)),
        nextCursor,
      })
    },
  }),
  endpoint({
    ...managing,
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Send one signed test event; its result appears among the deliveries.',
    bucket: 'webhook-changes',
    subject: 'webhook',
    replies: { 202: OneDelivery },
    refuses: ['not_found', 'conflict'],
    handle: async (ctx, { params }) => {
      const { webhook, delivery } = await testWebhook(ctx, params.id)
      return reply(202, { ok: true, delivery: presentDelivery(ctx, catalog, webhook, delivery) })
    },
  }),
  endpoint({
    ...managing,
    method: 'POST',
    path: '/webhooks/deliveries/:id/redeliver',
    summary: "Send a logged delivery again, with the event's original id and time.",
    bucket: 'webhook-changes',
    subject: 'delivery',
    replies: { 202: OneDelivery },
    refuses: ['not_found', 'no_payload', 'conflict', 'insufficient_scope', 'forbidden'],
    handle: async (ctx, { params }) => {
      const { webhook, delivery } = await redeliver(ctx, catalog, params.id)
      return reply(202, { ok: true, delivery: presentDelivery(ctx, catalog, webhook, delivery) })
    },
  }),
  endpoint({
    ...managing,
    method: 'POST',
    path: '/webhooks/:id/replay',
    summary: 'Send the events of a stretch of time to an endpoint again, with their original ids and times.',
    description:
      'The oldest first, at most 1,000 events looked at in a call; `nextCursor` carries on. Those that fail are retried ' +
      'like any delivery. With `only: undelivered` repeating is harmless.',
    bucket: 'bulk-writes',
    subject: 'webhook',
    body: Replay,
    example: { from: '2026-06-01T08:00:00Z', to: '2026-06-01T10:00:00Z', only: 'undelivered' },
    replies: {
      202: z.object({ ok: z.literal(true), queued: z.int(), nextCursor: z.string().nullable() }),
    },
    refuses: ['not_found', 'conflict', 'insufficient_scope', 'forbidden'],
    handle: async (ctx, { params, body }) =>
      reply(202, { ok: true, ...(await replayEvents(ctx, catalog, params.id, body)) }),
  }),
]

const sandboxEndpoints = ({ catalog }: WebhookTools): Endpoint[] => [
  endpoint({
    ...managing,
    method: 'POST',
    path: '/sandbox/events',
    summary: 'Make an event happen by name, with its documented example as data.',
    description:
      'It enters the event log and goes to the endpoints that listen. Nothing but the event is made: its ids name nothing.',
    tag: 'Sandbox',
    section: '4.9',
    bucket: 'settings-writes',
    sandboxOnly: true,
    body: TriggeredEvent,
    example: { event: 'lead.created', data: { source: 'fair' } },
    replies: { 202: z.object({ ok: z.literal(true), event: LoggedEvent }) },
    refuses: ['not_found', 'insufficient_scope', 'forbidden'],
    handle: async (ctx, { body }) => reply(202, { ok: true, event: triggerEvent(ctx, catalog, body) }),
  }),
]

const describe = (kind: EventKind): z.input<typeof EventDescription> => ({
  event: kind.name,
  description: kind.when,
  scope: kind.scope,
  adminOnly: kind.adminOnly ?? false,
  payload: Object.keys(kind.data.shape),
  schema: z.toJSONSchema(kind.data, { io: 'input', unrepresentable: 'any' }),
  example: kind.example,
})

/** The endpoints of spec 4.8 over the events of the service. */
export function webhookEndpoints(options: { events: readonly EventKind[]; sealer: Sealer }): Endpoint[] {
  const tools: WebhookTools = { catalog: catalogOf(options.events), sealer: options.sealer }
  return [
    ...readingEndpoints(tools),
    ...changingEndpoints(tools),
    ...sendingEndpoints(tools),
    ...sandboxEndpoints(tools),
  ]
}
