import { z } from 'zod'
import type { PrepareContext } from '../../../core/context.ts'
import { endpoint, outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage, cursorQuery, wholeNumber } from '../../../core/paging.ts'
import { AnswerPreview, AnswerPreviewResult } from '../auto-replies/schema.ts'
import type { BotNode } from './node-schema.ts'
import { changeBot, createBot, listBots, readBot, deleteBot as removeBot } from './operations/bots.ts'
import { readResults } from './operations/count-results.ts'
import { listRequests } from './operations/list-requests.ts'
import { previewAnswers } from './operations/preview-answers.ts'
import { testBot } from './operations/test-bot.ts'
import { type RequestTestOutcome, testRequest } from './operations/test-request.ts'
import { BotResults, MAX_RESULT_STARTS } from './result-schema.ts'
import {
  Bot,
  BotPatch,
  BotRequest,
  BotTest,
  BotTestResult,
  ListedBot,
  NewBot,
  RequestTest,
  RequestTestResult,
} from './schema.ts'
import { originOf } from './script/request-call.ts'

/** The most that an integer of the database has. */
const MAX_VERSION = 2_147_483_647

const BotResponse = z.object({ bot: Bot })
const shared = { tag: 'Automations', section: '4.10' } as const
const read = { ...shared, scope: 'automations:read', role: 'viewer', bucket: 'reads' } as const
const write = { ...shared, scope: 'automations:write', role: 'admin', bucket: 'settings-writes' } as const

/** Refuses addresses that no request may go to, without a look-up: each call checks its address again. */
function refuseAddresses({ outside }: PrepareContext, nodes: BotNode[] = []): void {
  for (const [index, node] of nodes.entries())
    if (node.type === 'request') outside.refuseWebhookAddress(originOf(node), `nodes[${index}].url`)
}

export const getBots = endpoint({
  ...read,
  name: 'listBots',
  method: 'GET',
  path: '/bots',
  summary: 'List bots, newest first, without their steps.',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('bots', ListedBot) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listBots(ctx, query)),
})

export const postBot = endpoint({
  ...write,
  name: 'createBot',
  method: 'POST',
  path: '/bots',
  summary: 'Create a bot: steps (nodes) that send, ask, or do something, each with its next step.',
  description:
    'Rejected: a next step that does not exist, a step that can never be reached, a loop in which the bot never waits for the customer, and more than ten messages in a row. A new bot is turned off, unless `enabled` is true.',
  body: NewBot,
  example: {
    name: 'Menu',
    enabled: true,
    entry: { keywords: ['menu'] },
    fallback: { text: 'Please tap one of the buttons.' },
    start: 'menu',
    nodes: [
      {
        id: 'menu',
        type: 'buttons',
        text: 'How can we help?',
        options: [
          { id: 'hours', title: 'Opening hours', next: 'hours' },
          { id: 'person', title: 'Talk to us', next: 'person' },
        ],
      },
      { id: 'hours', type: 'message', text: 'We are open from 10 to 7.' },
      { id: 'person', type: 'handover', note: 'Asked for a person.' },
    ],
  },
  replies: { 201: BotResponse },
  refuses: ['conflict', 'invalid_reference', 'insufficient_scope'],
  prepare: async (ctx, { body }) => refuseAddresses(ctx, body.nodes),
  handle: async (ctx, { body }) => reply(201, { bot: await createBot(ctx, body) }),
})

export const getOneBot = endpoint({
  ...read,
  name: 'getBot',
  method: 'GET',
  path: '/bots/:id',
  summary: 'Get one bot with its steps.',
  subject: 'bot',
  replies: { 200: BotResponse },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { bot: await readBot(ctx, params.id) }),
})

export const patchBot = endpoint({
  ...write,
  name: 'updateBot',
  method: 'PATCH',
  path: '/bots/:id',
  summary: 'Change a bot. Fields that you send are replaced completely.',
  description:
    'Active chats end with the version that they started with. If you turn the bot off, it leaves its chats immediately.',
  subject: 'bot',
  body: BotPatch,
  example: { enabled: false },
  replies: { 200: BotResponse },
  refuses: ['not_found', 'invalid_reference', 'insufficient_scope'],
  prepare: async (ctx, { body }) => refuseAddresses(ctx, body.nodes),
  handle: async (ctx, { params, body }) => reply(200, { bot: await changeBot(ctx, params.id, body) }),
})

export const deleteBot = endpoint({
  ...write,
  name: 'deleteBot',
  method: 'DELETE',
  path: '/bots/:id',
  summary: 'Delete a bot. It leaves its chats immediately.',
  subject: 'bot',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await removeBot(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postBotTest = endpoint({
  ...write,
  name: 'testBot',
  method: 'POST',
  path: '/bots/:id/test',
  summary:
    'Test a bot: show what it would send and do after all turns of a customer so far. Nothing is stored or sent.',
  subject: 'bot',
  body: BotTest,
  example: { turns: [{ text: 'menu' }, { option: 'hours' }] },
  replies: { 200: BotTestResult },
  refuses: ['not_found', 'insufficient_scope'],
  handle: async (ctx, { params, body }) => reply(200, await testBot(ctx, params.id, body)),
})

export const postAnswerPreview = endpoint({
  ...write,
  name: 'previewAutoReplies',
  method: 'POST',
  path: '/auto-replies/preview',
  summary:
    'Preview the automatic answer to a message, with the reason for each auto-reply. Nothing is stored or sent.',
  description:
    'Uses the rules by which customers are answered, with your auto-replies and bots as they are saved. Assumes a chat in which no bot runs, no teammate wrote in the last 30 minutes, and no cooldown is running.',
  body: AnswerPreview,
  example: { text: 'What is the price?', customerName: 'Asha Rao' },
  replies: { 200: AnswerPreviewResult },
  refuses: ['invalid_reference', 'insufficient_scope'],
  handle: async (ctx, { body }) => reply(200, await previewAnswers(ctx, body)),
})

export const getBotRequests = endpoint({
  ...read,
  name: 'listBotRequests',
  method: 'GET',
  path: '/bots/:id/requests',
  summary: "List the results of the latest 200 requests of a bot's steps, newest first.",
  subject: 'bot',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('requests', BotRequest) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => reply(200, await listRequests(ctx, params.id, query)),
})

export const getBotResults = endpoint({
  ...read,
  name: 'getBotResults',
  method: 'GET',
  path: '/bots/:id/results',
  summary: 'Count the results of a bot in the last 30 days, by step.',
  description: `Reads the newest ${MAX_RESULT_STARTS.toLocaleString('en')} starts. Over 5,000 starts, a workspace counts at most three bots at the same time; others return \`rate_limited\`.`,
  subject: 'bot',
  query: z.object({
    version: wholeNumber(1, MAX_VERSION)
      .optional()
      .meta({ description: 'Count only the starts of this version. `versions` always has all of them.' }),
  }),
  replies: { 200: z.object({ results: BotResults }) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) =>
    reply(200, { results: await readResults(ctx, params.id, query.version) }),
})

export const postRequestTest = outsideEndpoint({
  ...write,
  name: 'testBotRequest',
  method: 'POST',
  path: '/bots/:id/test-request',
  summary: 'Test the request of a step: send it with example values, and show its answer. Nothing is saved.',
  description:
    'The request is really sent, also in a sandbox. A failed request is a result with `error`. Private addresses get 400.',
  bucket: 'webhook-changes',
  subject: 'bot',
  body: RequestTest,
  example: {
    node: {
      id: 'order',
      type: 'request',
      url: 'https://shop.example/orders/{{answers.order}}',
      save: [{ path: 'order.status', saveTo: 'answers.status' }],
    },
    answers: { order: '4711' },
  },
  replies: { 200: RequestTestResult },
  refuses: ['not_found', 'insufficient_scope'],
  handle: (request, { params, body }) =>
    request.answering(
      (outcome: RequestTestOutcome) => reply(200, outcome),
      (ctx) => testRequest(ctx, params.id, body),
    ),
})
