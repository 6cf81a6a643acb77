import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import {
  changeAutoReply,
  createAutoReply,
  listAutoReplies,
  readAutoReply,
  deleteAutoReply as removeAutoReply,
  testKeywords,
} from './operations/auto-replies.ts'
import { countAnswers } from './operations/count-answers.ts'
import {
  AutoReply,
  AutoReplyCounts,
  AutoReplyPatch,
  KeywordTest,
  KeywordTestResult,
  NewAutoReply,
} from './schema.ts'

const AutoReplyResponse = z.object({ autoReply: AutoReply })
const shared = { tag: 'Automations', section: '4.10' } as const
const read = { ...shared, scope: 'automations:read', role: 'viewer', bucket: 'reads' } as const
const write = { ...shared, scope: 'automations:write', role: 'admin', bucket: 'settings-writes' } as const

export const getAutoReplies = endpoint({
  ...read,
  name: 'listAutoReplies',
  method: 'GET',
  path: '/auto-replies',
  summary: 'List automatic replies, newest first.',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('autoReplies', AutoReply) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listAutoReplies(ctx, query)),
})

export const getAutoReplyCounts = endpoint({
  ...read,
  name: 'countAutoReplies',
  method: 'GET',
  path: '/auto-replies/counts',
  summary: 'Count the messages that each auto-reply sent in the last 30 days.',
  description:
    'Counts messages that still exist. Erased customers and messages past their retention are missing.',
  replies: { 200: AutoReplyCounts },
  refuses: [],
  handle: async (ctx) => reply(200, await countAnswers(ctx)),
})

export const postAutoReply = endpoint({
  ...write,
  name: 'createAutoReply',
  method: 'POST',
  path: '/auto-replies',
  summary: 'Create an auto-reply: a welcome, an away message, or an answer to a keyword.',
  description:
    'The first match answers a message, in this order: the active bot, a keyword, a bot that starts, a welcome, and an away message. For 30 minutes after a teammate wrote in the chat, Parley sends no automatic reply.',
  body: NewAutoReply,
  example: {
    kind: 'keyword',
    keywords: ['price', 'prices'],
    match: 'word',
    reply: { text: 'Our prices: https://shop.example/prices' },
  },
  replies: { 201: AutoReplyResponse },
  refuses: ['conflict', 'invalid_reference', 'insufficient_scope'],
  handle: async (ctx, { body }) => reply(201, { autoReply: await createAutoReply(ctx, body) }),
})

export const getOneAutoReply = endpoint({
  ...read,
  name: 'getAutoReply',
  method: 'GET',
  path: '/auto-replies/:id',
  summary: 'Get one auto-reply.',
  subject: 'auto-reply',
  replies: { 200: AutoReplyResponse },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { autoReply: await readAutoReply(ctx, params.id) }),
})

export const patchAutoReply = endpoint({
  ...write,
  name: 'updateAutoReply',
  method: 'PATCH',
  path: '/auto-replies/:id',
  summary: 'Change an auto-reply. Fields that you send are replaced. The kind cannot change.',
  subject: 'auto-reply',
  body: AutoReplyPatch,
  example: { enabled: false },
  replies: { 200: AutoReplyResponse },
  refuses: ['not_found', 'invalid_reference', 'insufficient_scope'],
  handle: async (ctx, { params, body }) =>
    reply(200, { autoReply: await changeAutoReply(ctx, params.id, body) }),
})

export const deleteAutoReply = endpoint({
  ...write,
  name: 'deleteAutoReply',
  method: 'DELETE',
  path: '/auto-replies/:id',
  summary: 'Delete an auto-reply.',
  subject: 'auto-reply',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await removeAutoReply(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postAutoReplyTest = endpoint({
  ...write,
  name: 'testAutoReply',
  method: 'POST',
  path: '/auto-replies/test',
  summary: 'Test keywords or regular expressions with an example of a message. Nothing is stored or sent.',
  description:
    'Regular expressions have the syntax of RE2: no look-ahead, no look-behind, and no references to groups. An invalid one gets 400 with the reason and its position.',
  body: KeywordTest,
  example: { match: 'regex', keywords: ['order #?\\d{4,8}'], text: 'Where is order #4711?' },
  replies: { 200: KeywordTestResult },
  refuses: [],
  handle: async (_, { body }) => reply(200, testKeywords(body)),
})
