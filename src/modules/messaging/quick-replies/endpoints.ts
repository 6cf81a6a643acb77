import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import * as replies from './operations.ts'
import { changeQuickReply, listQuickReplies, saveQuickReply } from './operations.ts'
import { NewQuickReply, QuickReply, QuickReplyPatch } from './schema.ts'

const OneQuickReply = z.object({ quickReply: QuickReply })
const shared = {
  tag: 'Saved replies',
  bucket: 'settings-writes',
  scope: 'quick-replies:write',
  role: 'agent',
} as const

export const getQuickReplies = endpoint({
  ...shared,
  name: 'listQuickReplies',
  method: 'GET',
  path: '/quick-replies',
  summary: 'List saved replies, newest first.',
  section: '4.3',
  scope: 'quick-replies:read',
  role: 'viewer',
  bucket: 'reads',
  query: z.object(cursorQuery),
  tool: {
    title: 'List saved replies',
    when: 'Use it to find the wording that the team uses for common answers.',
  },
  replies: { 200: cursorPage('quickReplies', QuickReply) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listQuickReplies(ctx, query)),
})

export const postQuickReply = endpoint({
  ...shared,
  name: 'createQuickReply',
  method: 'POST',
  path: '/quick-replies',
  summary: 'Create a saved reply. If the shortcut is taken, 409 returns the id of the existing reply.',
  section: '4.10',
  body: NewQuickReply,
  example: { shortcut: 'hours', text: 'We are open from 10 to 7, Monday to Saturday.' },
  replies: { 201: OneQuickReply },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(201, { quickReply: await saveQuickReply(ctx, body) }),
})

export const patchQuickReply = endpoint({
  ...shared,
  name: 'updateQuickReply',
  method: 'PATCH',
  path: '/quick-replies/:id',
  summary: 'Change a saved reply.',
  section: '4.10',
  subject: 'quick reply',
  body: QuickReplyPatch,
  example: { text: 'We are open from 10 to 8, every day.' },
  replies: { 200: OneQuickReply },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { quickReply: await changeQuickReply(ctx, params.id, body) }),
})

export const deleteQuickReply = endpoint({
  ...shared,
  name: 'deleteQuickReply',
  method: 'DELETE',
  path: '/quick-replies/:id',
  summary: 'Delete a saved reply.',
  section: '4.10',
  subject: 'quick reply',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await replies.deleteQuickReply(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})
