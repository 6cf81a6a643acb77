/** The list of contacts. It belongs to this module because a saved segment can filter it. */
import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { cursorPage, cursorQuery, idsQuery } from '../../../../core/paging.ts'
import { listContacts } from '../../contacts/operations/list-contacts.ts'
import { Contact, OPT_IN_STATUSES, presentContact, SearchText, TagName } from '../../contacts/schema.ts'
import { segmentAsCondition } from '../operations/segments.ts'

export const getContacts = endpoint({
  name: 'listContacts',
  method: 'GET',
  path: '/contacts',
  summary: 'List contacts, newest first.',
  tag: 'Contacts',
  tool: { title: 'Find customers', when: 'Use it to find customers by name, number, tag, or segment.' },
  section: '4.3',
  scope: 'contacts:read',
  role: 'viewer',
  bucket: 'reads',
  query: z.object({
    ...cursorQuery,
    ...idsQuery,
    search: SearchText.optional().meta({
      description: 'Part of a number, name, or username.',
      example: 'asha',
    }),
    phone: z
      .string()
      .optional()
      .meta({ description: 'One exact number, in any spelling.', example: '+919812345678' }),
    channel: z
      .enum(['chat', 'social'])
      .default('chat')
      .meta({ description: '`social` lists the customers of the photo network.' }),
    tag: TagName.optional().meta({ description: 'Only contacts that have this tag.', example: 'vip' }),
    optInStatus: z
      .enum(OPT_IN_STATUSES, `Must be one of ${OPT_IN_STATUSES.join(', ')}.`)
      .optional()
      .meta({ description: 'Only contacts with this consent.' }),
    segmentId: Id.optional().meta({ description: 'Only contacts of this saved segment.' }),
  }),
  replies: { 200: cursorPage('contacts', Contact) },
  refuses: ['not_found'],
  handle: async (ctx, { query: { segmentId, ...filter } }) => {
    const segment = segmentId === undefined ? undefined : await segmentAsCondition(ctx, segmentId)
    const { rows, nextCursor } = await listContacts(ctx, filter, segment)
    return reply(200, { contacts: rows.map(presentContact), nextCursor })
  },
})
