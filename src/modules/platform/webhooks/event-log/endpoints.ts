import { z } from 'zod'
import { dropComponent } from '../../../../core/component.ts'
import { describeFields } from '../../../../core/describe-fields.ts'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import type { EventKind } from '../../../../core/event.ts'
import { cursorPage, cursorQuery, rowIdParam } from '../../../../core/paging.ts'
import { sampleEvents } from '../delivery/queries/delivery-log.ts'
import { managing, read } from '../endpoint-defaults.ts'
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
  schema: describeFields({
    ...z.toJSONSchema(kind.data, { io: 'input', unrepresentable: 'any', override: dropComponent }),
  }),
  example: kind.example,
})

export const getWebhookEvents = endpoint({
  ...read,
  name: 'listWebhookEvents',
  method: 'GET',
  path: '/webhooks/events',
  summary: 'List every event that you can subscribe to, with its meaning and payload.',
  replies: { 200: z.object({ events: z.array(EventDescription) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { events: ctx.eventKinds.map(describe) }),
})

export const getEventSamples = endpoint({
  ...read,
  name: 'listEventSamples',
  method: 'GET',
  path: '/webhooks/samples/:event',
  summary: 'List the latest real deliveries of an event, or its documented example.',
  description:
    'Real deliveries are returned to an admin key without its own scopes, or to a key with webhooks:manage that can read the event.',
  params: z.object({ event: z.string() }),
  replies: {
    200: z.object({
      event: z.string(),
      real: z
        .boolean()
        .meta({ description: 'Whether the sample is a real delivery; false for the documented example.' }),
      samples: z
        .array(EventSample)
        .meta({ description: 'Real deliveries of the event, newest first, or an example.' }),
    }),
  },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { event: params.event, ...(await sampleEvents(ctx, params.event)) }),
})

export const getEvents = endpoint({
  ...read,
  name: 'listEvents',
  method: 'GET',
  path: '/events',
  section: '6',
  summary: "List the workspace's events of the last 7 days.",
  description:
    'Newest first. With `after`, the list starts after that event, oldest first, so that a consumer can continue from its last event. Read all pages with `nextCursor`; on the last page, use `resumeAfter` as the next `after`. An event whose transaction took long appears later and is never missed. Returns only events that the key can read. If those are rare, a page can be short or empty although it has a `nextCursor`.',
  query: z.object({
    ...cursorQuery,
    events: eventNamesInQuery,
    after: rowIdParam('Must be the id of an event.')
      .optional()
      .meta({ description: 'Id of an event: returns the events after it, oldest first.' }),
  }),
  tool: {
    title: 'Read the event log',
    when: 'Use it to see what happened in the workspace in the last 7 days.',
  },
  replies: {
    200: cursorPage('events', LoggedEvent).extend({
      resumeAfter: z.string().nullable().meta({
        description:
          'Use it as `after` to continue from here without missing an event. Null if there is no event to continue from yet: call again without `after`.',
      }),
    }),
  },
  refuses: ['insufficient_scope', 'forbidden'],
  handle: async (ctx, { query }) => {
    const { rows, ...places } = await readEventLog(ctx, query)
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
})

export const postWebhookReplay = endpoint({
  ...managing,
  name: 'replayEvents',
  method: 'POST',
  path: '/webhooks/:id/replay',
  summary: 'Send the events of a period to an endpoint again, with their original ids and times.',
  description:
    'Starts with the oldest event and reads at most 1,000 events in a call; `nextCursor` continues. Failed deliveries are retried like any others. With `only: undelivered`, you can safely repeat the call.',
  bucket: 'bulk-writes',
  subject: 'webhook',
  body: Replay,
  example: { from: '2026-06-01T08:00:00Z', to: '2026-06-01T10:00:00Z', only: 'undelivered' },
  replies: {
    202: z.object({
      ok: z.literal(true),
      queued: z.int().meta({ description: 'Number of events that will be delivered again.' }),
      nextCursor: z.string().nullable(),
    }),
  },
  refuses: ['not_found', 'conflict', 'insufficient_scope', 'forbidden'],
  handle: async (ctx, { params, body }) =>
    reply(202, { ok: true, ...(await replayEvents(ctx, params.id, body)) }),
})

export const postSandboxEvent = endpoint({
  ...managing,
  name: 'triggerSandboxEvent',
  method: 'POST',
  path: '/sandbox/events',
  summary: 'Trigger an event by name, with its documented example as data.',
  description:
    'Parley adds the event to the event log and sends it to the subscribed endpoints. It creates only the event: the ids in it belong to no records.',
  tag: 'Sandbox',
  section: '4.9',
  bucket: 'settings-writes',
  sandboxOnly: true,
  body: TriggeredEvent,
  example: { event: 'lead.created', data: { source: 'fair' } },
  replies: { 202: z.object({ ok: z.literal(true), event: LoggedEvent }) },
  refuses: ['not_found', 'insufficient_scope', 'forbidden'],
  handle: async (ctx, { body }) => reply(202, { ok: true, event: triggerEvent(ctx, body) }),
})
