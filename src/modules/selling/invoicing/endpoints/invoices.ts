import { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { presentOneInvoice } from '../operations/present.ts'
import { getIssued, listIssued } from '../operations/read-documents.ts'
import { sourceOf } from '../operations/shown-document.ts'
import { IssuedFilter, IssuedQuery, SalesInvoice } from '../schema.ts'
import { ALSO_AS, documentReply } from './document-reply.ts'

// Also with the module turned off, because issued documents stay.
const shared = {
  tag: 'Sales documents',
  section: '4.3',
  scope: 'billing:read',
  role: 'viewer',
  bucket: 'reads',
} as const

export const getInvoices = endpoint({
  ...shared,
  name: 'listInvoices',
  method: 'GET',
  path: '/invoices',
  summary: 'List issued invoices, canceled ones included, newest first.',
  query: IssuedFilter,
  replies: { 200: cursorPage('invoices', SalesInvoice) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listIssued(ctx, query)),
})

export const getInvoice = outsideEndpoint({
  ...shared,
  name: 'getInvoice',
  method: 'GET',
  path: '/invoices/:id',
  summary: 'Get one issued invoice as JSON, a web page, or a PDF.',
  subject: 'invoice',
  query: IssuedQuery,
  replies: { 200: z.object({ invoice: SalesInvoice }) },
  alsoAs: ALSO_AS,
  refuses: ['not_found'],
  handle: async (ctx, { params: { id }, query: { format } }) => {
    const read = (txCtx: Context) => getIssued(txCtx, id)
    return format === 'json'
      ? reply(200, {
          invoice: await ctx.transaction(async (txCtx) => presentOneInvoice(txCtx, await read(txCtx))),
        })
      : documentReply(ctx, format, async (txCtx) => sourceOf(txCtx, await read(txCtx)))
  },
})
