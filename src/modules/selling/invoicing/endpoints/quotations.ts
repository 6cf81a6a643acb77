import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { documentTurns } from '../document-queue.ts'
import { invoicingOn } from '../gates.ts'
import { acceptQuotation, declineQuotation } from '../operations/answer-quotation.ts'
import { readCustomer } from '../operations/compose.ts'
import { replaceLink } from '../operations/document-link.ts'
import { changeDraft, createDraft, deleteDraft } from '../operations/drafts.ts'
import { cancelDocument, convertQuotation } from '../operations/end-document.ts'
import { QUOTATIONS } from '../operations/find-document.ts'
import { issueDocument, issueHeld } from '../operations/issue.ts'
import { presentOneInvoice, presentQuotation } from '../operations/present.ts'
import { listQuotations, readQuotation } from '../operations/read-documents.ts'
import { reviseDocument } from '../operations/revise.ts'
import { readSource } from '../operations/shown-document.ts'
import {
  Acceptance,
  Conversion,
  Declining,
  DocumentQuery,
  DraftPatch,
  NewQuotation,
  Quotation,
  QuotationFilter,
  Reason,
  Revision,
  SalesInvoice,
} from '../schema.ts'
import { ALSO_AS, documentReply } from './document-reply.ts'

const Answer = z.object({ quotation: Quotation })
const read = {
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  scope: 'invoicing:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const write = { ...read, scope: 'invoicing:write', role: 'agent', bucket: 'invoicing-writes' } as const
const ofOne = { ...write, subject: 'quotation', replies: { 200: Answer } } as const

export const getQuotations = endpoint({
  ...read,
  name: 'listQuotations',
  method: 'GET',
  path: '/quotations',
  summary: 'List quotations, drafts included, newest first.',
  query: QuotationFilter,
  replies: { 200: cursorPage('quotations', Quotation) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listQuotations(ctx, query)),
})

export const postQuotation = endpoint({
  ...write,
  name: 'createQuotation',
  method: 'POST',
  path: '/quotations',
  summary: 'Create a draft of a quotation. With `issue`, it is issued immediately.',
  action: { title: 'Create a quotation' },
  body: NewQuotation,
  example: {
    customer: { name: 'Asha Rao' },
    validUntil: '2026-06-15',
    lines: [{ description: 'Kurta', quantity: 20, unitMinor: 105_000, taxRate: 5 }],
  },
  inTurn: documentTurns,
  replies: { 201: Answer },
  refuses: ['invalid_reference', 'forbidden', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { body: { issue, ...draft } }) => {
    const { settings, ...held } = await createDraft(ctx, 'quotation', {
      ...draft,
      customer: await readCustomer(ctx, draft.customer),
    })
    const document = issue ? await issueHeld(ctx, held, settings) : held.document
    return reply(201, { quotation: presentQuotation(ctx, document) })
  },
})

export const getQuotation = outsideEndpoint({
  ...read,
  name: 'getQuotation',
  method: 'GET',
  path: '/quotations/:id',
  summary: 'Get one quotation as JSON, a web page, or a PDF. `version` returns an earlier version.',
  action: { title: 'Get a quotation' },
  subject: 'quotation',
  query: DocumentQuery,
  replies: { 200: Answer },
  alsoAs: ALSO_AS,
  refuses: ['not_found'],
  handle: async (ctx, { params: { id }, query: { format, version } }) =>
    format === 'json'
      ? reply(200, { quotation: await ctx.transaction((txCtx) => readQuotation(txCtx, id, version)) })
      : documentReply(ctx, format, (txCtx) => readSource(txCtx, id, QUOTATIONS, version)),
})

export const patchQuotation = endpoint({
  ...ofOne,
  name: 'updateQuotation',
  method: 'PATCH',
  path: '/quotations/:id',
  summary: 'Change a draft.',
  body: DraftPatch,
  example: { validUntil: '2026-06-30' },
  refuses: ['not_found', 'not_a_draft', 'invalid_reference', 'forbidden'],
  handle: async (ctx, { params, body }) =>
    reply(200, { quotation: presentQuotation(ctx, await changeDraft(ctx, params.id, body, QUOTATIONS)) }),
})

export const deleteQuotation = endpoint({
  ...write,
  name: 'deleteQuotation',
  method: 'DELETE',
  path: '/quotations/:id',
  summary: 'Delete a draft.',
  subject: 'quotation',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found', 'not_a_draft'],
  handle: async (ctx, { params }) => {
    await deleteDraft(ctx, params.id, QUOTATIONS)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postQuotationIssue = endpoint({
  ...ofOne,
  name: 'issueQuotation',
  method: 'POST',
  path: '/quotations/:id/issue',
  summary: 'Issue a draft. It gets the next number of its series.',
  inTurn: documentTurns,
  refuses: ['not_found', 'not_a_draft', 'forbidden', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { params }) =>
    reply(200, { quotation: presentQuotation(ctx, await issueDocument(ctx, params.id, QUOTATIONS)) }),
})

export const postQuotationAccept = endpoint({
  ...ofOne,
  name: 'acceptQuotation',
  method: 'POST',
  path: '/quotations/:id/accept',
  summary:
    'Record that the customer accepts. Returns `conflict` after the day in `validUntil`, and for an outdated `version`.',
  body: Acceptance,
  bodyOptional: true,
  example: { version: 1 },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { quotation: presentQuotation(ctx, await acceptQuotation(ctx, params.id, body)) }),
})

export const postQuotationDecline = endpoint({
  ...ofOne,
  name: 'declineQuotation',
  method: 'POST',
  path: '/quotations/:id/decline',
  summary: 'Record that the customer declines.',
  body: Declining,
  bodyOptional: true,
  example: { reason: 'Too late for us.' },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { quotation: presentQuotation(ctx, await declineQuotation(ctx, params.id, body)) }),
})

export const postQuotationRevise = endpoint({
  ...ofOne,
  name: 'reviseQuotation',
  method: 'POST',
  path: '/quotations/:id/revise',
  summary: 'Revise an issued quotation. The next version needs a new answer from the customer.',
  role: 'admin',
  body: Revision,
  example: { validUntil: '2026-07-15' },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { quotation: presentQuotation(ctx, await reviseDocument(ctx, params.id, body, QUOTATIONS)) }),
})

export const postQuotationCancel = endpoint({
  ...ofOne,
  name: 'cancelQuotation',
  method: 'POST',
  path: '/quotations/:id/cancel',
  summary: 'Cancel an issued quotation. It keeps its number.',
  role: 'admin',
  body: Reason,
  example: { reason: 'The prices have changed.' },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, {
      quotation: presentQuotation(ctx, await cancelDocument(ctx, params.id, body.reason, QUOTATIONS)),
    }),
})

export const postQuotationConvert = endpoint({
  ...ofOne,
  name: 'convertQuotation',
  method: 'POST',
  path: '/quotations/:id/convert',
  summary: 'Turn a quotation into an invoice or proforma invoice, once.',
  body: Conversion,
  bodyOptional: true,
  example: { kind: 'invoice', issue: true },
  inTurn: documentTurns,
  replies: { 201: z.object({ invoice: SalesInvoice }) },
  refuses: ['not_found', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { params, body }) =>
    reply(201, { invoice: await presentOneInvoice(ctx, await convertQuotation(ctx, params.id, body)) }),
})

export const postQuotationLink = endpoint({
  ...ofOne,
  name: 'replaceQuotationLink',
  method: 'POST',
  path: '/quotations/:id/link',
  summary: 'Replace the link of an issued quotation. The old link stops working.',
  role: 'admin',
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) =>
    reply(200, { quotation: presentQuotation(ctx, await replaceLink(ctx, params.id, QUOTATIONS)) }),
})
