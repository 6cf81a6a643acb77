/** Reads and writes sales documents. The live stream names changed documents. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Quotation, SalesInvoice } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { ApiError } from '../api/errors.ts'
import { readAllRows } from '../api/read-all-rows.ts'
import { call, type Reply } from '../api/request.ts'
import { withConfirmation } from '../shell/confirm.ts'

/** The two lists, each with its own address. */
export type Noun = 'invoices' | 'quotations'
export type SalesDocument = SalesInvoice | Quotation
export type Preview = Reply<'POST /sales-invoices/preview'>['preview']
export type PreviewBody = Api['POST /sales-invoices/preview']['body']
export type DraftBody = Api['PATCH /sales-invoices/{id}']['body']
export type NewDocument = Api['POST /sales-invoices']['body']
export type NewPayment = Api['POST /sales-invoices/{id}/payments']['body']
export type SalesSettings = Reply<'GET /sales-settings'>['salesSettings']
export type SalesSettingsBody = Api['PUT /sales-settings']['body']
export type SalesFilter = { status?: string; kind?: string; overdue?: 'true'; q?: string }
type DocumentList = { documents: SalesDocument[]; nextCursor: string | null }

const PAGE = 50

export const isInvoice = (document: SalesDocument): document is SalesInvoice => 'payments' in document

async function readPage(noun: Noun, query: object, signal: AbortSignal): Promise<DocumentList> {
  if (noun === 'invoices') {
    const { invoices, nextCursor } = await call('GET /sales-invoices', { query, signal })
    return { documents: invoices, nextCursor }
  }
  const { quotations, nextCursor } = await call('GET /quotations', { query, signal })
  return { documents: quotations, nextCursor }
}

export const documentsQuery = (noun: Noun, filter: SalesFilter) =>
  infiniteQueryOptions({
    queryKey: ['salesDocument', 'list', noun, filter],
    queryFn: ({ pageParam, signal }) => readPage(noun, { ...filter, limit: PAGE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: DocumentList) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

const readOne = async (noun: Noun, id: string, version?: number): Promise<SalesDocument> => {
  const options = { params: { id }, query: { version } }
  return noun === 'invoices'
    ? (await call('GET /sales-invoices/{id}', options)).invoice
    : (await call('GET /quotations/{id}', options)).quotation
}

export const documentQuery = (noun: Noun, id: string) =>
  queryOptions({ queryKey: ['salesDocument', 'one', id], queryFn: () => readOne(noun, id) })

/** Reads an earlier version, which can no longer change. */
export const versionQuery = (noun: Noun, id: string, version: number) =>
  queryOptions({
    queryKey: ['salesDocument', 'of', id, version],
    queryFn: () => readOne(noun, id, version),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const salesSettingsQuery = queryOptions({
  queryKey: ['salesSettings', 'list'],
  queryFn: async () => (await call('GET /sales-settings')).salesSettings,
})

/** Reads the totals of a document, as the server computes them. */
export const previewQuery = (body: PreviewBody) =>
  queryOptions({
    queryKey: ['salesPreview', 'list', body],
    queryFn: async () => (await call('POST /sales-invoices/preview', { body })).preview,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  })

/** Reads the templates that can be sent while the window is closed. */
export const approvedTemplatesQuery = queryOptions({
  queryKey: ['template', 'list', 'sales'],
  queryFn: () =>
    readAllRows('templates', (page) => call('GET /templates', { query: { status: 'approved', ...page } })),
})

/** Caches the document returned by a change, and reads the lists again. */
export function cacheDocument<Document extends SalesDocument>(document: Document): Document {
  queryClient.setQueryData(['salesDocument', 'one', document.id], document)
  void queryClient.invalidateQueries({ queryKey: ['salesDocument', 'list'] })
  return document
}

type Attempt = { idempotencyKey: string }

export const createDocument = async (
  kind: 'invoice' | 'proforma' | 'quotation',
  body: NewDocument,
  attempt: Attempt,
): Promise<SalesDocument> =>
  cacheDocument(
    kind === 'quotation'
      ? (await call('POST /quotations', { body, ...attempt })).quotation
      : (await call('POST /sales-invoices', { body: { ...body, kind }, ...attempt })).invoice,
  )

export const changeDraft = async (noun: Noun, id: string, body: DraftBody): Promise<SalesDocument> =>
  cacheDocument(
    noun === 'invoices'
      ? (await call('PATCH /sales-invoices/{id}', { params: { id }, body })).invoice
      : (await call('PATCH /quotations/{id}', { params: { id }, body })).quotation,
  )

export const reviseDocument = async (noun: Noun, id: string, body: DraftBody): Promise<SalesDocument> =>
  cacheDocument(
    noun === 'invoices'
      ? (await call('POST /sales-invoices/{id}/revise', { params: { id }, body })).invoice
      : (await call('POST /quotations/{id}/revise', { params: { id }, body })).quotation,
  )

export const issueDocument = async (noun: Noun, id: string): Promise<SalesDocument> =>
  cacheDocument(
    noun === 'invoices'
      ? (await call('POST /sales-invoices/{id}/issue', { params: { id } })).invoice
      : (await call('POST /quotations/{id}/issue', { params: { id } })).quotation,
  )

export const cancelDocument = async (noun: Noun, id: string, reason: string): Promise<SalesDocument> =>
  cacheDocument(
    noun === 'invoices'
      ? (await call('POST /sales-invoices/{id}/cancel', { params: { id }, body: { reason } })).invoice
      : (await call('POST /quotations/{id}/cancel', { params: { id }, body: { reason } })).quotation,
  )

/** Creates a new link to the customer's page; the previous link stops working. */
export const renewLink = async (noun: Noun, id: string): Promise<SalesDocument> =>
  cacheDocument(
    noun === 'invoices'
      ? (await call('POST /sales-invoices/{id}/link', { params: { id } })).invoice
      : (await call('POST /quotations/{id}/link', { params: { id } })).quotation,
  )

export async function deleteDraft(noun: Noun, id: string): Promise<void> {
  if (noun === 'invoices') await call('DELETE /sales-invoices/{id}', { params: { id } })
  else await call('DELETE /quotations/{id}', { params: { id } })
  queryClient.removeQueries({ queryKey: ['salesDocument', 'one', id] })
  void queryClient.invalidateQueries({ queryKey: ['salesDocument', 'list'] })
}

export const acceptQuotation = async ({ id, version }: SalesDocument) =>
  cacheDocument((await call('POST /quotations/{id}/accept', { params: { id }, body: { version } })).quotation)

export const declineQuotation = async ({ id, version }: SalesDocument, reason: string) =>
  cacheDocument(
    (
      await call('POST /quotations/{id}/decline', {
        params: { id },
        body: { version, ...(reason && { reason }) },
      })
    ).quotation,
  )

/** Creates the invoice for the visit of an advance; for the advance only, if bookings are turned off. */
async function invoiceOfVoucher(id: string, bookingId: string) {
  try {
    return await call('POST /bookings/{id}/invoice', { params: { id: bookingId } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_available')) throw error
    return call('POST /sales-invoices/{id}/convert', { params: { id } })
  }
}

function invoiceOf({ id, ...document }: SalesInvoice) {
  const { documentType, bookingId } = document
  return documentType === 'receipt_voucher' && bookingId !== null
    ? invoiceOfVoucher(id, bookingId)
    : call('POST /sales-invoices/{id}/convert', { params: { id } })
}

/** Converts a document; returns the new invoice or proforma. */
export async function convertDocument(
  document: SalesDocument,
  kind: 'invoice' | 'proforma' = 'invoice',
): Promise<SalesInvoice> {
  const { id } = document
  const { invoice } = isInvoice(document)
    ? await invoiceOf(document)
    : await call('POST /quotations/{id}/convert', { params: { id }, body: { kind, issue: false } })
  void queryClient.invalidateQueries({ queryKey: ['salesDocument', 'one', id] })
  return cacheDocument(invoice)
}

export async function recordPayment(id: string, body: NewPayment, attempt: Attempt) {
  const { payment, invoice } = await call('POST /sales-invoices/{id}/payments', {
    params: { id },
    body,
    ...attempt,
  })
  cacheDocument(invoice)
  return payment
}

export const voidPayment = async (id: string, paymentId: string, reason: string) =>
  cacheDocument(
    (
      await call('POST /sales-invoices/{id}/payments/{paymentId}/void', {
        params: { id, paymentId },
        body: { reason },
      })
    ).invoice,
  )

/** Sends an issued document; returns the address of the customer's page. */
export async function sendDocument(
  noun: Noun,
  id: string,
  body: Api['POST /sales-invoices/{id}/send']['body'],
  attempt: Attempt,
) {
  const options = { params: { id }, body, ...attempt }
  const sent =
    noun === 'invoices'
      ? await call('POST /sales-invoices/{id}/send', options)
      : await call('POST /quotations/{id}/send', options)
  void queryClient.invalidateQueries({ queryKey: ['salesDocument', 'one', id] })
  return sent
}

export async function saveSettings(body: SalesSettingsBody): Promise<SalesSettings> {
  const { salesSettings } = await withConfirmation(() => call('PUT /sales-settings', { body }))
  queryClient.setQueryData(salesSettingsQuery.queryKey, salesSettings)
  return salesSettings
}
