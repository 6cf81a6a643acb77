import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { pushKeyOf } from '../../../web-push/vapid.ts'
import { listBrowsers, subscribe, unsubscribe } from './operations.ts'
import { NewSubscription, Subscription } from './schema.ts'

const shared = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'viewer' } as const

export const getPush = endpoint({
  ...shared,
  name: 'getPush',
  method: 'GET',
  path: '/push',
  summary: "List the caller's browsers with push notifications in this workspace.",
  bucket: 'reads',
  replies: {
    200: z.object({
      key: z.string().meta({ description: 'Public key with which a browser subscribes, base64url.' }),
      subscriptions: z.array(Subscription),
    }),
  },
  refuses: [],
  handle: async (ctx) => reply(200, { key: pushKeyOf(ctx.sealer), subscriptions: await listBrowsers(ctx) }),
})

export const postPush = endpoint({
  ...shared,
  name: 'subscribeToPush',
  method: 'POST',
  path: '/push',
  summary: 'Send push notifications to this browser until its session ends.',
  bucket: 'settings-writes',
  body: NewSubscription,
  example: {
    endpoint: 'https://push.example.com/send/c3Vic2NyaXB0aW9u',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'c2hhcmVkLXNlY3JldC0wMQ',
  },
  replies: { 201: z.object({ subscription: Subscription }) },
  refuses: [],
  prepare: async ({ outside }, { body }) => outside.refusePushAddress(body.endpoint, 'endpoint'),
  handle: async (ctx, { body }) => reply(201, { subscription: await subscribe(ctx, body) }),
})

export const deletePush = endpoint({
  ...shared,
  name: 'unsubscribeFromPush',
  method: 'DELETE',
  path: '/push/:id',
  subject: 'pushSubscription',
  summary: 'End the push notifications of a browser.',
  bucket: 'settings-writes',
  replies: { 200: z.object({ ok: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await unsubscribe(ctx, params.id)
    return reply(200, { ok: true })
  },
})
