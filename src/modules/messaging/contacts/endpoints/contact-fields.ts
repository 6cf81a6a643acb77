import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import * as fields from '../operations/contact-fields.ts'
import { changeContactField, declareContactField, listContactFields } from '../operations/contact-fields.ts'
import { ContactField, ContactFieldPatch, NewContactField, presentContactField } from '../settings-schema.ts'

const OneField = z.object({ contactField: ContactField })
const shared = { tag: 'Contacts', section: '4.10' } as const
const write = { ...shared, scope: 'contacts:write', role: 'agent', bucket: 'settings-writes' } as const

export const getContactFields = endpoint({
  ...shared,
  name: 'listContactFields',
  method: 'GET',
  path: '/contact-fields',
  summary: 'List custom fields, newest first.',
  scope: 'contacts:read',
  role: 'viewer',
  bucket: 'reads',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('contactFields', ContactField) },
  refuses: [],
  handle: async (ctx, { query }) => {
    const { rows, nextCursor } = await listContactFields(ctx, query)
    return reply(200, { contactFields: rows.map(presentContactField), nextCursor })
  },
})

export const postContactField = endpoint({
  ...write,
  name: 'createContactField',
  method: 'POST',
  path: '/contact-fields',
  summary: 'Create a custom field of contacts.',
  description:
    'Later values in `attributes` must match its type. Keys without a custom field accept any value. Existing values do not change.',
  body: NewContactField,
  example: { key: 'size', label: 'Shirt size', type: 'select', options: ['S', 'M', 'L'] },
  replies: { 201: OneField },
  refuses: ['conflict'],
  handle: async (ctx, { body }) =>
    reply(201, { contactField: presentContactField(await declareContactField(ctx, body)) }),
})

export const patchContactField = endpoint({
  ...write,
  name: 'updateContactField',
  method: 'PATCH',
  path: '/contact-fields/:id',
  summary: 'Change the label or the options of a custom field.',
  subject: 'contact field',
  body: ContactFieldPatch,
  example: { label: 'T-shirt size' },
  replies: { 200: OneField },
  refuses: ['not_found'],
  handle: async (ctx, { params, body }) =>
    reply(200, { contactField: presentContactField(await changeContactField(ctx, params.id, body)) }),
})

export const deleteContactField = endpoint({
  ...write,
  name: 'deleteContactField',
  method: 'DELETE',
  path: '/contact-fields/:id',
  summary: 'Delete a custom field. Contacts keep their values.',
  subject: 'contact field',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await fields.deleteContactField(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})
