import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { listDrafts, readDraft, saveDraft } from './operations.ts'
import { DRAFTS_MAX, Draft, ListedDraft, NewDraft } from './schema.ts'

const shared = {
  auth: 'session',
  tag: 'Dashboard',
  section: '1',
  scope: null,
  role: 'agent',
  path: '/drafts/:id',
  subject: 'conversation',
  params: z.object({ id: z.string() }),
  replies: { 200: Draft },
  refuses: ['not_found'],
} as const

export const getDrafts = endpoint({
  auth: 'session',
  name: 'listDrafts',
  method: 'GET',
  path: '/drafts',
  summary: "List the caller's drafts, newest first.",
  description: `Returns at most ${DRAFTS_MAX} drafts.`,
  tag: 'Dashboard',
  section: '1',
  scope: null,
  role: 'agent',
  bucket: 'reads',
  replies: { 200: z.object({ drafts: z.array(ListedDraft) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { drafts: await listDrafts(ctx) }),
})

export const getDraft = endpoint({
  ...shared,
  refuses: ['not_found'],
  name: 'getDraft',
  method: 'GET',
  summary: "Get the caller's draft in a conversation.",
  bucket: 'reads',
  handle: async (ctx, { params }) => reply(200, await readDraft(ctx, params.id)),
})

export const putDraft = endpoint({
  ...shared,
  refuses: ['not_found'],
  name: 'saveDraft',
  method: 'PUT',
  summary: "Save the caller's draft in a conversation. An empty draft deletes it.",
  bucket: 'inbox-update',
  body: NewDraft,
  example: { text: 'It arrives on', mode: 'reply', files: [] },
  handle: async (ctx, { params, body }) => reply(200, await saveDraft(ctx, params.id, body)),
})
