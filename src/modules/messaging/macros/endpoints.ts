import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import { showConversation } from '../conversations/operations/read-conversations.ts'
import { SEND_REFUSALS } from '../messages/sending/send-schema.ts'
import * as macros from './operations/macros.ts'
import { changeMacro, listMacros, saveMacro } from './operations/macros.ts'
import { runMacro } from './operations/run-macro.ts'
import { Macro, MacroPatch, MacroRun, NewMacro, RunMacro } from './schema.ts'

const OneMacro = z.object({ macro: Macro })
const shared = {
  tag: 'Saved replies',
  section: '4.10',
  scope: 'quick-replies:write',
  role: 'agent',
  bucket: 'settings-writes',
} as const

const EXAMPLE = { addTags: ['refund'], assignee: 'me', resolve: true } as const

export const getMacros = endpoint({
  ...shared,
  name: 'listMacros',
  method: 'GET',
  path: '/macros',
  summary: 'List macros, newest first.',
  scope: 'quick-replies:read',
  role: 'viewer',
  bucket: 'reads',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('macros', Macro) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listMacros(ctx, query)),
})

export const postMacro = endpoint({
  ...shared,
  name: 'createMacro',
  method: 'POST',
  path: '/macros',
  summary: 'Create a macro: several actions on a conversation that a teammate runs together.',
  description: 'If the name is taken, 409 returns the id of the existing macro.',
  body: NewMacro,
  example: { name: 'Refund done', actions: EXAMPLE },
  replies: { 201: OneMacro },
  refuses: ['conflict', 'invalid_reference'],
  handle: async (ctx, { body }) => reply(201, { macro: await saveMacro(ctx, body) }),
})

export const patchMacro = endpoint({
  ...shared,
  name: 'updateMacro',
  method: 'PATCH',
  path: '/macros/:id',
  summary: 'Change a macro. New actions replace all of its actions.',
  subject: 'macro',
  body: MacroPatch,
  example: { name: 'Refund paid' },
  replies: { 200: OneMacro },
  refuses: ['not_found', 'conflict', 'invalid_reference'],
  handle: async (ctx, { params, body }) => reply(200, { macro: await changeMacro(ctx, params.id, body) }),
})

export const deleteMacro = endpoint({
  ...shared,
  name: 'deleteMacro',
  method: 'DELETE',
  path: '/macros/:id',
  summary: 'Delete a macro.',
  subject: 'macro',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await macros.deleteMacro(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postMacroRun = endpoint({
  name: 'runConversationMacro',
  method: 'POST',
  path: '/conversations/:id/run-macro',
  summary: 'Run a macro on a conversation: all of its actions, or none.',
  description:
    'If the saved reply cannot be sent, for example because the 24-hour window is closed, the error says so and nothing changes. A macro whose saved reply, team, member, or tag was deleted returns `conflict`, and `issues` names the missing part. A narrowed key also needs `messages:send` for a macro that sends, and `contacts:write` for one that changes tags.',
  tag: 'Conversations',
  section: '4.10',
  scope: 'conversations:write',
  role: 'agent',
  bucket: 'send',
  subject: 'conversation',
  body: MacroRun,
  example: { macroId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10' },
  replies: { 200: RunMacro },
  refuses: [...new Set(['not_found', 'conflict', 'insufficient_scope', ...SEND_REFUSALS] as const)],
  handle: async (ctx, { params, body }) => {
    const { row, messageId } = await runMacro(ctx, params.id, body.macroId)
    return reply(200, { conversation: await showConversation(ctx, row), messageId })
  },
})
