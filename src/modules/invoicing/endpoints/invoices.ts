import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage } from '../../../core/paging.ts'
import { listIssued, readIssued } from '../operations/read-documents.ts'
import { IssuedFilter, SalesInvoice } from '../schema.ts'

// Also where the module is switched off: what was issued stays.
const face = {
  tag: 'Sales documents',
  section: '4.3',
  scope: 'billing:read',
  role: 'viewer',
  bucket: 'reads',
} as const

export const getInvoices = endpoint({
  ...face,
  name: 'listInvoices',
  method: 'GET',
  path: '/invoices',
  summary: 'Invoices that were issued, cancelled ones too, newest first.',
  query: IssuedFilter,
  replies: { 200: cursorPage('invoices', SalesInvoice) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listIssued(ctx, query)),
})

export const getInvoice = endpoint({
  ...face,
  name: 'getInvoice',
  method: 'GET',
  path: '/invoices/:id',
  summary: 'One issued invoice.',
  subject: 'invoice',
  replies: { 200: z.object({ invoice: SalesInvoice }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { invoice: await readIssued(ctx, params.id) }),
})
