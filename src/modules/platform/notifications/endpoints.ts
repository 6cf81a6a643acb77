import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage } from '../../../core/paging.ts'
import { listNotifications, markNotificationsRead } from './operations.ts'
import { MarkRead, Notification, NotificationQuery, UNREAD_MAX } from './schema.ts'

const unread = z
  .number()
  .int()
  .meta({ description: `Number of unread notifications. The count stops at ${UNREAD_MAX}.` })
const shared = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'viewer' } as const

export const getNotifications = endpoint({
  ...shared,
  name: 'listNotifications',
  method: 'GET',
  path: '/notifications',
  summary: "List the caller's notifications, newest first.",
  bucket: 'reads',
  query: NotificationQuery,
  replies: { 200: cursorPage('notifications', Notification).extend({ unread }) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listNotifications(ctx, query)),
})

export const postNotificationsRead = endpoint({
  ...shared,
  name: 'markNotificationsRead',
  method: 'POST',
  path: '/notifications/read',
  summary: "Mark the caller's notifications as read: some of them, or all up to a certain one.",
  bucket: 'settings-writes',
  body: MarkRead,
  example: { ids: ['0198f0c2-7b1e-7c39-8f3a-2a3f0c9d1e55'] },
  replies: { 200: z.object({ unread }) },
  refuses: [],
  handle: async (ctx, { body }) => reply(200, await markNotificationsRead(ctx, body)),
})
