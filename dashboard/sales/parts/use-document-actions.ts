/** Ends a document or its link, or creates another document from it. */
import { useMutation } from '@tanstack/react-query'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import {
  acceptQuotation,
  cancelDocument,
  convertDocument,
  declineQuotation,
  isInvoice,
  renewLink,
  type SalesDocument,
} from '../queries.ts'
import { t } from '../texts.ts'
import type { DocumentPageContext } from './document-page.tsx'

/** Returns whether the document can no longer change. */
export const isClosed = ({ status, invoiceId }: SalesDocument): boolean =>
  ['draft', 'cancelled', 'converted'].includes(status) || invoiceId !== null

export const canPay = (document: SalesDocument): boolean =>
  isInvoice(document) && !isClosed(document) && document.balanceMinor > 0

/**
 * Returns whether a document can be converted: a proforma to an invoice, a quotation to an invoice or a
 * proforma.
 */
export function canConvert(document: SalesDocument): boolean {
  if (isClosed(document)) return false
  return isInvoice(document)
    ? document.kind === 'proforma'
    : document.status === 'issued' || document.status === 'accepted'
}

export function useDocumentActions({ document, noun, open }: DocumentPageContext, onSettled: () => void) {
  const showSuccess = (title: string) => () => notify({ title, kind: 'good' })
  const errorHandlers = {
    onError: notifyError,
    onSettled,
  }
  return {
    accept: useMutation({
      mutationFn: () => acceptQuotation(document),
      onSuccess: showSuccess(t('accepted')),
      ...errorHandlers,
    }),
    decline: useMutation({
      mutationFn: (reason: string) => declineQuotation(document, reason),
      onSuccess: showSuccess(t('declined')),
      ...errorHandlers,
    }),
    cancel: useMutation({
      mutationFn: (reason: string) => cancelDocument(noun, document.id, reason),
      onSuccess: showSuccess(t('cancelled')),
      ...errorHandlers,
    }),
    renew: useMutation({
      mutationFn: () => renewLink(noun, document.id),
      onSuccess: showSuccess(t('link.renewed')),
      ...errorHandlers,
    }),
    convert: useMutation({
      mutationFn: (kind: 'invoice' | 'proforma') => convertDocument(document, kind),
      onSuccess: (converted) => {
        notify({ title: t(converted.number ? 'converted' : 'converted.draft'), kind: 'good' })
        open(converted.id, 'invoices')
      },
      ...errorHandlers,
    }),
  }
}
