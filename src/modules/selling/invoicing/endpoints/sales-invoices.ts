import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { documentTurns } from '../document-queue.ts'
import { invoicingOn } from '../gates.ts'
import { readCustomer } from '../operations/compose.ts'
import { replaceLink } from '../operations/document-link.ts'
import { changeDraft, createDraft, deleteDraft } from '../operations/drafts.ts'
import { cancelDocument, convertProforma } from '../operations/end-document.ts'
import { INVOICES } from '../operations/find-document.ts'
import { issueDocument, issueHeld } from '../operations/issue.ts'
import { presentOneInvoice } from '../operations/present.ts'
import { listInvoices, readInvoice } from '../operations/read-documents.ts'
import { reviseDocument } from '../operations/revise.ts'
import { readSource } from '../operations/shown-document.ts'
import {
  DocumentQuery,
  DraftPatch,
  InvoiceFilter,
  NewInvoice,
  Reason,
  Revision,
  SalesInvoice,
} from '../schema.ts'
import { ALSO_AS, documentReply } from './document-reply.ts'

const Answer = z.object({ invoice: SalesInvoice })
const read = {
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  scope: 'invoicing:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const write = { ...read, scope: 'invoicing:write', role: 'agent', bucket: 'invoicing-writes' } as const
const ofOne = { ...write, subject: 'invoice', replies: { 200: Answer } } as const

export const getSalesInvoices = endpoint({
  ...read,
  name: 'listSalesInvoices',
  method: 'GET',
  path: '/sales-invoices',
  summary: 'List invoices, proforma invoices, and receipt vouchers, drafts included, newest first.',
  query: InvoiceFilter,
  tool: { title: 'List invoices', when: 'Use it to find invoices, for example those that are overdue.' },
  replies: { 200: cursorPage('invoices', SalesInvoice) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listInvoices(ctx, query)),
})

export const postSalesInvoice = endpoint({
  ...write,
  name: 'createSalesInvoice',
  method: 'POST',
  path: '/sales-invoices',
  summary: 'Create a draft of an invoice or proforma invoice. With `issue`, it is issued immediately.',
  body: NewInvoice,
  example: {
    customer: { name: 'Asha Rao', gstin: '29ABCDE1234F1ZW' },
    lines: [{ description: 'Kurta', hsn: '6211', quantity: 2, unitMinor: 110_000, taxRate: 5 }],
    issue: true,
  },
  inTurn: documentTurns,
  tool: {
    title: 'Draft an invoice',
    when: 'Use it to make a draft of an invoice. Leave out `issue` unless the person you work for wants it issued immediately.',
    effect: 'acts',
  },
  replies: { 201: Answer },
  refuses: ['invalid_reference', 'forbidden', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { body: { kind, issue, ...draft } }) => {
    const { settings, ...held } = await createDraft(ctx, kind, {
      ...draft,
      customer: await readCustomer(ctx, draft.customer),
    })
    const document = issue ? await issueHeld(ctx, held, settings) : held.document
    return reply(201, { invoice: await presentOneInvoice(ctx, document) })
  },
})

export const getSalesInvoice = outsideEndpoint({
  ...read,
  name: 'getSalesInvoice',
  method: 'GET',
  path: '/sales-invoices/:id',
  summary:
    'Get one invoice or proforma invoice with its payments, as JSON, a web page, or a PDF. `version` returns an earlier version.',
  subject: 'invoice',
  query: DocumentQuery,
  tool: { title: 'Read an invoice', when: 'Use it to read the lines, taxes, and payments of one invoice.' },
  replies: { 200: Answer },
  alsoAs: ALSO_AS,
  refuses: ['not_found'],
  handle: async (ctx, { params: { id }, query: { format, version } }) =>
    format === 'json'
      ? reply(200, { invoice: await ctx.transaction((txCtx) => readInvoice(txCtx, id, version)) })
      : documentReply(ctx, format, (txCtx) => readSource(txCtx, id, INVOICES, version)),
})

export const patchSalesInvoice = endpoint({
  ...ofOne,
  name: 'updateSalesInvoice',
  method: 'PATCH',
  path: '/sales-invoices/:id',
  summary: 'Change a draft.',
  body: DraftPatch,
  example: { dueDate: '2026-06-15' },
  refuses: ['not_found', 'not_a_draft', 'invalid_reference', 'forbidden'],
  handle: async (ctx, { params, body }) =>
    reply(200, {
      invoice: await presentOneInvoice(ctx, await changeDraft(ctx, params.id, body, INVOICES)),
    }),
})

export const deleteSalesInvoice = endpoint({
  ...write,
  name: 'deleteSalesInvoice',
  method: 'DELETE',
  path: '/sales-invoices/:id',
  summary: 'Delete a draft.',
  subject: 'invoice',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found', 'not_a_draft'],
  handle: async (ctx, { params }) => {
    await deleteDraft(ctx, params.id, INVOICES)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postSalesInvoiceIssue = endpoint({
  ...ofOne,
  name: 'issueSalesInvoice',
  method: 'POST',
  path: '/sales-invoices/:id/issue',
  summary: 'Issue a draft. It gets the next number of its series.',
  description: 'If the document lacks something that the tax scheme requires, `invalid` names it.',
  inTurn: documentTurns,
  tool: {
    title: 'Issue an invoice',
    when: 'Use it to issue a draft after the person you work for checked it. An issued invoice can never be deleted.',
    effect: 'acts',
  },
  refuses: ['not_found', 'not_a_draft', 'forbidden', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { params }) =>
    reply(200, { invoice: await presentOneInvoice(ctx, await issueDocument(ctx, params.id, INVOICES)) }),
})

export const postSalesInvoiceRevise = endpoint({
  ...ofOne,
  name: 'reviseSalesInvoice',
  method: 'POST',
  path: '/sales-invoices/:id/revise',
  summary:
    'Revise an issued document. It keeps its number and gets the next version; earlier versions stay readable.',
  role: 'admin',
  body: Revision,
  example: { notes: 'Delivered to the shop in Bandra.' },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, {
      invoice: await presentOneInvoice(ctx, await reviseDocument(ctx, params.id, body, INVOICES)),
    }),
})

export const postSalesInvoiceCancel = endpoint({
  ...ofOne,
  name: 'cancelSalesInvoice',
  method: 'POST',
  path: '/sales-invoices/:id/cancel',
  summary: 'Cancel an issued document without payments. It keeps its number.',
  role: 'admin',
  body: Reason,
  example: { reason: 'Issued twice.' },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, {
      invoice: await presentOneInvoice(ctx, await cancelDocument(ctx, params.id, body.reason, INVOICES)),
    }),
})

export const postSalesInvoiceConvert = endpoint({
  ...ofOne,
  name: 'convertSalesInvoice',
  method: 'POST',
  path: '/sales-invoices/:id/convert',
  summary:
    'Turn a proforma invoice or a receipt voucher into an issued invoice, once. Its payments and receipts move to the invoice.',
  inTurn: documentTurns,
  replies: { 201: Answer },
  refuses: ['not_found', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { params }) =>
    reply(201, { invoice: await presentOneInvoice(ctx, await convertProforma(ctx, params.id)) }),
})

export const postSalesInvoiceLink = endpoint({
  ...ofOne,
  name: 'replaceSalesInvoiceLink',
  method: 'POST',
  path: '/sales-invoices/:id/link',
  summary: 'Replace the link of an issued document. The old link stops working.',
  role: 'admin',
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) =>
    reply(200, { invoice: await presentOneInvoice(ctx, await replaceLink(ctx, params.id, INVOICES)) }),
})
