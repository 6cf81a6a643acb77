import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import * as views from '../operations/saved-views.ts'
import { changeView, listViews, saveView } from '../operations/saved-views.ts'
import { NewSavedView, SavedView, SavedViewPatch, ViewQuery } from '../view-schema.ts'

const OneView = z.object({ view: SavedView })
const shared = {
  tag: 'Saved views',
  section: '4.5',
  scope: 'crm:write',
  role: 'agent',
  bucket: 'crm-writes',
} as const

export const getViews = endpoint({
  ...shared,
  name: 'listViews',
  method: 'GET',
  path: '/views',
  summary: "List the shared views of leads or of the inbox, and the caller's own views.",
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  query: ViewQuery,
  replies: { 200: z.object({ views: z.array(SavedView) }) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, { views: await listViews(ctx, query.page) }),
})

export const postView = endpoint({
  ...shared,
  name: 'createView',
  method: 'POST',
  path: '/views',
  summary: 'Save a view: a filter, a search, and an order, for `view` of GET /leads or for the inbox.',
  body: NewSavedView,
  example: {
    name: 'Hot and mine',
    filter: { match: 'all', conditions: [{ field: 'rating', op: 'gte', value: 4 }] },
    sort: 'dealValue',
    dir: 'desc',
    shared: true,
  },
  replies: { 201: OneView },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(201, { view: await saveView(ctx, body) }),
})

export const patchView = endpoint({
  ...shared,
  name: 'updateView',
  method: 'PATCH',
  path: '/views/:id',
  summary: 'Change a saved view.',
  subject: 'view',
  body: SavedViewPatch,
  example: { name: 'Hot leads' },
  replies: { 200: OneView },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) => reply(200, { view: await changeView(ctx, params.id, body) }),
})

export const deleteView = endpoint({
  ...shared,
  name: 'deleteView',
  method: 'DELETE',
  path: '/views/:id',
  summary: 'Delete a saved view. Its leads or conversations are kept.',
  subject: 'view',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await views.deleteView(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})
