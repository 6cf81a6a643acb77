import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import * as tags from '../operations/tags.ts'
import { changeTag, declareTag, listTags } from '../operations/tags.ts'
import { NewTag, presentTag, Tag, TagPatch } from '../settings-schema.ts'

const OneTag = z.object({ tag: Tag })
const shared = { tag: 'Contacts', section: '4.10' } as const
const write = { ...shared, scope: 'contacts:write', role: 'agent', bucket: 'settings-writes' } as const

export const getTags = endpoint({
  ...shared,
  name: 'listTags',
  method: 'GET',
  path: '/tags',
  summary: 'List tags, newest first.',
  description: 'Includes tags that were created, and tags that were ever added to a contact.',
  scope: 'contacts:read',
  role: 'viewer',
  bucket: 'reads',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('tags', Tag) },
  refuses: [],
  handle: async (ctx, { query }) => {
    const { rows, nextCursor } = await listTags(ctx, query)
    return reply(200, { tags: rows.map(presentTag), nextCursor })
  },
})

export const postTag = endpoint({
  ...write,
  name: 'createTag',
  method: 'POST',
  path: '/tags',
  summary: 'Create a tag.',
  description: 'Contacts accept any tag. Create a tag to give it a color before its first use.',
  body: NewTag,
  example: { name: 'vip', color: '#1f9d55' },
  replies: { 201: OneTag },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(201, { tag: presentTag(await declareTag(ctx, body)) }),
})

export const patchTag = endpoint({
  ...write,
  name: 'updateTag',
  method: 'PATCH',
  path: '/tags/:id',
  summary: 'Rename or recolor a tag.',
  description:
    'Parley renames it on every contact in the background and sends no `contact.updated` for the change.',
  subject: 'tag',
  body: TagPatch,
  example: { name: 'gold', color: '#d4af37' },
  replies: { 200: OneTag },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { tag: presentTag(await changeTag(ctx, params.id, body)) }),
})

export const deleteTag = endpoint({
  ...write,
  name: 'deleteTag',
  method: 'DELETE',
  path: '/tags/:id',
  summary: 'Delete a tag, and remove it from every contact.',
  description:
    'Parley removes it from contacts in the background and sends no `contact.updated` for the change.',
  subject: 'tag',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await tags.deleteTag(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})
