import { z } from 'zod'
import { outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { reportPresence } from '../operations/presence.ts'
import { NewPresence } from '../schema.ts'

export const postPresence = outsideEndpoint({
  auth: 'session',
  name: 'reportPresence',
  method: 'POST',
  path: '/presence',
  summary:
    'Report which conversation the caller is viewing, and whether they are typing. Valid for 30 seconds.',
  tag: 'Dashboard',
  section: '4.3',
  scope: null,
  role: 'viewer',
  bucket: 'inbox-update',
  body: NewPresence,
  example: { conversationId: null, typing: false },
  replies: { 204: z.undefined() },
  refuses: ['not_found'],
  handle: async (request, { body }) => {
    await reportPresence(request, body)
    return reply(204, undefined)
  },
})
