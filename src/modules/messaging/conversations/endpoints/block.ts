import { z } from 'zod'
import { outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { Contact, presentContact } from '../../contacts/schema.ts'
import { blockContact } from '../operations/block-contact.ts'

const shared = {
  tag: 'Contacts',
  section: '4.10',
  scope: 'contacts:write',
  role: 'agent',
  bucket: 'contact-writes',
  subject: 'contact',
  replies: { 200: z.object({ contact: Contact }) },
  refuses: ['not_found', 'meta_error', 'number_banned', 'sending_blocked'],
} as const

const shown = (contact: Parameters<typeof presentContact>[0]) =>
  reply(200, { contact: presentContact(contact) })

export const postContactBlock = outsideEndpoint({
  ...shared,
  refuses: [...shared.refuses],
  name: 'blockContact',
  method: 'POST',
  path: '/contacts/:id/block',
  summary: 'Block a contact. Their messages no longer arrive.',
  description:
    'The operator accepts a block only for customers who wrote within 24 hours, and otherwise returns an error (`meta_error`). You cannot send to a blocked contact.',
  handle: (request, { params }) => request.answering(shown, (ctx) => blockContact(ctx, params.id, true)),
})

export const postContactUnblock = outsideEndpoint({
  ...shared,
  refuses: [...shared.refuses],
  name: 'unblockContact',
  method: 'POST',
  path: '/contacts/:id/unblock',
  summary: 'Unblock a contact.',
  handle: (request, { params }) => request.answering(shown, (ctx) => blockContact(ctx, params.id, false)),
})
