import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { requireScope } from '../../../../core/scopes.ts'
import { invoicingOn } from '../gates.ts'
import { previewDocument } from '../operations/preview.ts'
import { Preview, Previewed } from '../schema.ts'

export const postSalesInvoicePreview = endpoint({
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  name: 'previewSalesDocument',
  method: 'POST',
  path: '/sales-invoices/preview',
  summary:
    'Preview an invoice, proforma invoice, or quotation: its totals, and what it lacks to be issued. Stores nothing.',
  scope: 'invoicing:write',
  role: 'agent',
  bucket: 'reads',
  body: Preview,
  example: {
    customer: { name: 'Asha Rao', gstin: '29ABCDE1234F1ZW' },
    lines: [{ description: 'Kurta', hsn: '6211', quantity: 2, unitMinor: 110_000, taxRate: 5 }],
  },
  replies: { 200: z.object({ preview: Previewed.meta({ description: 'Preview of the document.' }) }) },
  refuses: ['invalid_reference', 'insufficient_scope'],
  handle: async (ctx, { body }) => {
    requireScope(ctx, 'invoicing:read', 'A preview')
    return reply(200, { preview: await previewDocument(ctx, body) })
  },
})
