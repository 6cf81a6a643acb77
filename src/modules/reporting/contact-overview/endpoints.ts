import { endpoint, reply } from '../../../core/endpoint.ts'
import { readContactOverview } from './operations.ts'
import { ContactOverview, OVERVIEW_MAX } from './schema.ts'

export const getContactOverview = endpoint({
  name: 'getContactOverview',
  method: 'GET',
  path: '/contacts/:id/overview',
  summary: 'Get an overview of a contact: lead, tasks, chats, orders, invoices, bookings, and payments.',
  description: `\`id\` is Parley's id, a phone number, or \`chan:<user id>\`. Each list has the newest ${OVERVIEW_MAX} entries. A part is left out if the key doesn't have the scope that its description names, or if the workspace doesn't have the module turned on.`,
  tag: 'Contacts',
  tool: {
    title: 'Customer overview',
    when: 'Use it before you answer a customer: it shows lead, tasks, orders, invoices, bookings, and payments in one reply.',
  },
  section: '4.10',
  scope: 'contacts:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'contact',
  replies: { 200: ContactOverview },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, await readContactOverview(ctx, params.id)),
})
