import { z } from 'zod'
import { endpoint, type Reply, reply } from '../../../../core/endpoint.ts'
import { Refusal } from '../../../../core/errors.ts'
import { hotEndpoint } from '../../../../core/hot-endpoint.ts'
import { updateContact } from '../operations/change-contact.ts'
import { eraseContact } from '../operations/erase-contact.ts'
import { getContact } from '../operations/find-contact.ts'
import { mergeByHand } from '../operations/merge-requested.ts'
import { beginSaving, numbersWithoutRead, type Saved, saveNewContacts } from '../operations/save-contacts.ts'
import { ChangedContact, Contact, MergeBody, MergedContact, NewContact, presentContact } from '../schema.ts'

const write = {
  tag: 'Contacts',
  section: '4.4',
  scope: 'contacts:write',
  role: 'agent',
  bucket: 'contact-writes',
} as const

const OneContact = z.object({ contact: Contact })
const SavedContact = z.object({ contact: Contact, created: z.boolean() })

const savedReply = (saved: Saved | Refusal): Reply | Refusal =>
  saved instanceof Refusal
    ? saved
    : reply(saved.created ? 201 : 200, { contact: presentContact(saved.contact), created: saved.created })

export const postContact = hotEndpoint({
  ...write,
  name: 'createContact',
  method: 'POST',
  path: '/contacts',
  summary: 'Create a contact, or update the contact with this number.',
  description:
    'Returns 201 for a new number and 200 for a known one. Attributes are merged; tags are replaced.',
  body: NewContact,
  example: { phone: '+919812345678', displayName: 'Asha Rao', tags: ['vip'], attributes: { city: 'Pune' } },
  tool: { title: 'Add a customer', when: 'Use it to add a customer whose number is new.' },
  replies: { 201: SavedContact, 200: SavedContact },
  refuses: ['plan_limit_reached', 'contact_opted_out'],
  readAhead: async (items) => {
    const save = await beginSaving(items)
    return async (fresh) => (await save(fresh)).map(savedReply)
  },
  recall: (items) => {
    const numbers = numbersWithoutRead(items)
    return numbers && (async (fresh) => (await saveNewContacts(fresh, numbers)).map(savedReply))
  },
})

export const getOneContact = endpoint({
  name: 'getContact',
  method: 'GET',
  path: '/contacts/:id',
  summary: 'Get one contact with its custom fields.',
  description: "`id` is Parley's id, a phone number, or `chan:<user id>`.",
  tag: 'Contacts',
  tool: {
    title: 'Read a customer',
    when: 'Use it to read the record of a customer: name, tags, consent, and custom fields.',
  },
  section: '4.4',
  scope: 'contacts:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'contact',
  replies: { 200: OneContact },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { contact: presentContact(await getContact(ctx, params.id)) }),
})

export const patchContact = endpoint({
  ...write,
  name: 'updateContact',
  method: 'PATCH',
  path: '/contacts/:id',
  summary: 'Change a contact. Attributes are merged; tags are replaced.',
  subject: 'contact',
  body: ChangedContact,
  example: { tags: ['vip'], attributes: { city: 'Pune', oldField: null } },
  tool: {
    title: 'Edit a customer',
    when: 'Use it to correct the name, tags, or custom fields of a customer. The list of tags replaces the earlier one.',
  },
  replies: { 200: OneContact },
  refuses: ['not_found', 'contact_opted_out'],
  handle: async (ctx, { params, body }) =>
    reply(200, { contact: presentContact(await updateContact(ctx, params.id, body)) }),
})

export const deleteContact = endpoint({
  name: 'eraseContact',
  method: 'DELETE',
  path: '/contacts/:id',
  summary: 'Erase a contact with its chats, messages, and lead history.',
  tag: 'Contacts',
  section: '4.4',
  scope: 'contacts:write',
  role: 'agent',
  bucket: 'contact-erasure',
  critical: true,
  subject: 'contact',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await eraseContact(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postContactMerge = endpoint({
  ...write,
  name: 'mergeContacts',
  method: 'POST',
  path: '/contacts/:id/merge',
  summary: 'Merge two contacts that are one person.',
  description:
    'The contact in the path is kept, with the chats, messages, lead, and tags of both, and with the stricter consent. Afterwards, the phone number of the other contact, its id, and the ids of its lead and chats lead to the kept contact. Repeated calls change nothing.',
  subject: 'contact',
  body: MergeBody,
  example: { from: '+551187654321' },
  replies: {
    200: z.object({
      contact: Contact,
      merged: MergedContact.meta({ description: 'Details of the merged contact.' }),
    }),
  },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) => {
    const { contact, merged } = await mergeByHand(ctx, params.id, body.from)
    return reply(200, { contact: presentContact(contact), merged })
  },
})
