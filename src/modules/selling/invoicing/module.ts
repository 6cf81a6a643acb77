import { routes } from '../../../core/endpoint.ts'
import { getCreditNote, getCreditNotes, getReceipt, postCreditNote } from './endpoints/credit-notes.ts'
import { getInvoice, getInvoices } from './endpoints/invoices.ts'
import { postSalesInvoicePayment, postSalesPaymentVoid } from './endpoints/payments.ts'
import { postSalesInvoicePreview } from './endpoints/preview.ts'
import {
  deleteQuotation,
  getQuotation,
  getQuotations,
  patchQuotation,
  postQuotation,
  postQuotationAccept,
  postQuotationCancel,
  postQuotationConvert,
  postQuotationDecline,
  postQuotationIssue,
  postQuotationLink,
  postQuotationRevise,
} from './endpoints/quotations.ts'
import {
  deleteSalesInvoice,
  getSalesInvoice,
  getSalesInvoices,
  patchSalesInvoice,
  postSalesInvoice,
  postSalesInvoiceCancel,
  postSalesInvoiceConvert,
  postSalesInvoiceIssue,
  postSalesInvoiceLink,
  postSalesInvoiceRevise,
} from './endpoints/sales-invoices.ts'
import { postQuotationSend, postSalesInvoiceSend } from './endpoints/sending.ts'
import { getSalesSettings, putSalesSettings } from './endpoints/settings.ts'
import {
  invoiceCancelled,
  invoiceIssued,
  invoicePaid,
  invoicePaymentRecorded,
  invoicePaymentVoided,
  invoiceUpdated,
  quotationAccepted,
  quotationDeclined,
} from './events.ts'
import { followDocumentLink } from './jobs.ts'
import { salesRetentionSource } from './work/sales-retention-source.ts'

export const invoicing = {
  endpoints: routes({
    'GET /invoices': getInvoices,
    'GET /invoices/:id': getInvoice,
    'GET /sales-settings': getSalesSettings,
    'PUT /sales-settings': putSalesSettings,
    'GET /sales-invoices': getSalesInvoices,
    'POST /sales-invoices': postSalesInvoice,
    'POST /sales-invoices/preview': postSalesInvoicePreview,
    'GET /sales-invoices/:id': getSalesInvoice,
    'PATCH /sales-invoices/:id': patchSalesInvoice,
    'DELETE /sales-invoices/:id': deleteSalesInvoice,
    'POST /sales-invoices/:id/issue': postSalesInvoiceIssue,
    'POST /sales-invoices/:id/revise': postSalesInvoiceRevise,
    'POST /sales-invoices/:id/payments': postSalesInvoicePayment,
    'GET /sales-invoices/:id/payments/:paymentId': getReceipt,
    'POST /sales-invoices/:id/payments/:paymentId/void': postSalesPaymentVoid,
    'POST /sales-invoices/:id/cancel': postSalesInvoiceCancel,
    'POST /sales-invoices/:id/convert': postSalesInvoiceConvert,
    'GET /sales-invoices/:id/credit-notes': getCreditNotes,
    'POST /sales-invoices/:id/credit-notes': postCreditNote,
    'GET /sales-invoices/:id/credit-notes/:noteId': getCreditNote,
    'POST /sales-invoices/:id/link': postSalesInvoiceLink,
    'POST /sales-invoices/:id/send': postSalesInvoiceSend,
    'GET /quotations': getQuotations,
    'POST /quotations': postQuotation,
    'GET /quotations/:id': getQuotation,
    'PATCH /quotations/:id': patchQuotation,
    'DELETE /quotations/:id': deleteQuotation,
    'POST /quotations/:id/issue': postQuotationIssue,
    'POST /quotations/:id/accept': postQuotationAccept,
    'POST /quotations/:id/decline': postQuotationDecline,
    'POST /quotations/:id/revise': postQuotationRevise,
    'POST /quotations/:id/cancel': postQuotationCancel,
    'POST /quotations/:id/convert': postQuotationConvert,
    'POST /quotations/:id/link': postQuotationLink,
    'POST /quotations/:id/send': postQuotationSend,
  }),
  events: [
    invoiceIssued,
    invoiceUpdated,
    invoicePaymentRecorded,
    invoicePaid,
    invoicePaymentVoided,
    invoiceCancelled,
    quotationAccepted,
    quotationDeclined,
  ],
  jobs: [followDocumentLink],
  sources: {
    'sales-retention': salesRetentionSource,
  },
}
