import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { CreditNote, NewCreditNote } from '../credit-note-schema.ts'
import { documentTurns } from '../document-queue.ts'
import { invoicingOn } from '../gates.ts'
import {
  issueCreditNote,
  presentCreditNote,
  readCreditNote,
  readCreditNotes,
} from '../operations/credit-notes.ts'
import { presentOneInvoice, presentPayment } from '../operations/present.ts'
import { readPayment, readPrintedNote, readReceipt } from '../operations/slips.ts'
import { Payment, PaymentId } from '../payment-schema.ts'
import { PrintQuery, SalesInvoice } from '../schema.ts'
import { ALSO_AS, slipReply } from './document-reply.ts'

const read = {
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  scope: 'invoicing:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'invoice',
} as const

export const postCreditNote = endpoint({
  ...read,
  name: 'issueCreditNote',
  method: 'POST',
  path: '/sales-invoices/:id/credit-notes',
  summary: 'Reduce an issued invoice with a credit note, which has its own number series.',
  scope: 'invoicing:write',
  role: 'admin',
  bucket: 'invoicing-writes',
  body: NewCreditNote,
  example: { amountMinor: 50_000, reason: 'One kurta came back.' },
  inTurn: documentTurns,
  tool: {
    title: 'Credit an invoice',
    when: 'Use it to reduce an issued invoice, for example before money is returned.',
    effect: 'acts',
  },
  replies: { 201: z.object({ creditNote: CreditNote, invoice: SalesInvoice }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) => {
    const { note, document } = await issueCreditNote(ctx, params.id, body)
    return reply(201, {
      creditNote: presentCreditNote(note, document.currency),
      invoice: await presentOneInvoice(ctx, document),
    })
  },
})

export const getCreditNotes = endpoint({
  ...read,
  name: 'listCreditNotes',
  method: 'GET',
  path: '/sales-invoices/:id/credit-notes',
  summary: 'List the credit notes of an invoice, oldest first.',
  replies: { 200: z.object({ creditNotes: z.array(CreditNote) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    const { document, notes } = await readCreditNotes(ctx, params.id)
    return reply(200, { creditNotes: notes.map((note) => presentCreditNote(note, document.currency)) })
  },
})

export const getCreditNote = outsideEndpoint({
  ...read,
  name: 'getCreditNote',
  method: 'GET',
  path: '/sales-invoices/:id/credit-notes/:noteId',
  summary: 'Get one credit note as JSON, a web page, or a PDF.',
  params: z.object({ id: z.string(), noteId: z.string().meta({ description: 'Id of the credit note.' }) }),
  query: PrintQuery,
  replies: { 200: z.object({ creditNote: CreditNote }) },
  alsoAs: ALSO_AS,
  refuses: ['not_found'],
  handle: async (ctx, { params: { id, noteId }, query: { format } }) => {
    if (format !== 'json') return slipReply(ctx, format, (txCtx) => readPrintedNote(txCtx, id, noteId))
    const { document, note } = await ctx.transaction((txCtx) => readCreditNote(txCtx, id, noteId))
    return reply(200, { creditNote: presentCreditNote(note, document.currency) })
  },
})

export const getReceipt = outsideEndpoint({
  ...read,
  name: 'getReceipt',
  method: 'GET',
  path: '/sales-invoices/:id/payments/:paymentId',
  summary: 'Get one payment, or its receipt as a web page or a PDF.',
  params: z.object({ id: z.string(), paymentId: PaymentId }),
  query: PrintQuery,
  replies: { 200: z.object({ payment: Payment }) },
  alsoAs: ALSO_AS,
  refuses: ['not_found'],
  handle: async (ctx, { params: { id, paymentId }, query: { format } }) =>
    format === 'json'
      ? reply(200, {
          payment: presentPayment(await ctx.transaction((txCtx) => readPayment(txCtx, id, paymentId))),
        })
      : slipReply(ctx, format, (txCtx) => readReceipt(txCtx, id, paymentId)),
})
