import { z } from 'zod'
import { describeFields } from '../../../core/describe-fields.ts'
import { endpoint, reply } from '../../../core/endpoint.ts'
import type { EventKind } from '../../../core/event.ts'
import { cursorPage, cursorQuery, placeInList } from '../../../core/paging.ts'
import { sampleEvents } from '../delivery/delivery-log.ts'
import { managing, reading } from '../endpoint-faces.ts'
import type { WebhookTools } from '../registration/operations.ts'
import {
  EventDescription,
  EventSample,
  eventNamesInQuery,
  LoggedEvent,
  Replay,
  TriggeredEvent,
} from '../schema.ts'
import { readEventLog } from './event-log.ts'
import { replayEvents } from './replay.ts'
import { triggerEvent } from './trigger.ts'

const describe = (kind: EventKind): z.input<typeof EventDescription> => ({
  event: kind.name,
  description: kind.when,
  scope: kind.scope,
  adminOnly: kind.adminOnly ?? false,
  payload: Object.keys(kind.data.shape),
  schema: describeFields({ ...z.toJSONSchema(kind.data, { io: 'input', unrepresentable: 'any' }) }),
  example: kind.example,
})

/** Endpoints that list event types and logged events, and replay them. */
export const eventEndpoints = ({ catalog }: WebhookTools) => ({
  listWebhookEvents: endpoint({
    ...reading,
    name: 'listWebhookEvents',
    method: 'GET',
    path: '/webhooks/events',
    summary: 'Every event that can be subscribed to, with its meaning and payload.',
    replies: { 200: z.object({ events: z.array(EventDescription) }) },
    refuses: [],
    handle: async () => reply(200, { events: [...catalog.values()].map(describe) }),
  }),
  listEventSamples: endpoint({
    ...reading,
    name: 'listEventSamples',
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
        samples: z
          .array(EventSample)
          .meta({ description: 'Real deliveries of the event, the newest first, or an example.' }),
      }),
    },
    refuses: ['not_found'],
    handle: async (ctx, { params }) =>
      reply(200, { event: params.event, ...(await sampleEvents(ctx, catalog, params.event)) }),
  }),
  listEvents: endpoint({
    ...reading,
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    section: '6',
    summary: "The workspace's event log of the last 7 days.",
    description:
      'Newest first. With `after` it begins behind that event and goes oldest first, so that a consumer can carry on ' +
      'where it stopped: read pages by `nextCursor`, and when there is none ask again with `resumeAfter` as `after`. ' +
      'An event of a transaction that took long then comes late, and is never missed. Shows the events that the key may read: ' +
      'where those are rare a page may be short or empty while `nextCursor` is given.',
    query: z.object({
      ...cursorQuery,
      events: eventNamesInQuery,
      after: placeInList('Must be the id of an event.')
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
  replayEvents: endpoint({
    ...managing,
    name: 'replayEvents',
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
      202: z.object({
        ok: z.literal(true),
        queued: z.int().meta({ description: 'Number of events that are delivered again.' }),
        nextCursor: z.string().nullable(),
      }),
    },
    refuses: ['not_found', 'conflict', 'insufficient_scope', 'forbidden'],
    handle: async (ctx, { params, body }) =>
      reply(202, { ok: true, ...(await replayEvents(ctx, catalog, params.id, body)) }),
  }),
  triggerSandboxEvent: endpoint({
    ...managing,
    name: 'triggerSandboxEvent',
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
})
