import type { SalesInvoice } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { isInvoice, type SalesDocument } from '../queries.ts'
import { t } from '../texts.ts'

const TONES: Record<SalesDocument['status'], Tone> = {
  draft: 'plain',
  issued: 'accent',
  partially_paid: 'warn',
  paid: 'good',
  cancelled: 'plain',
  converted: 'plain',
  accepted: 'good',
  declined: 'bad',
  expired: 'warn',
}

/** Shows the state of a document, and highlights an overdue payment. */
export function StatusBadge({ document }: { document: SalesDocument }) {
  if (isInvoice(document) && document.overdue) return <Badge tone="bad">{t('status.overdue')}</Badge>
  return <Badge tone={TONES[document.status]}>{t(`status.${document.status}`)}</Badge>
}

/** Shows the same for an invoice in short. */
export const InvoiceStatus = ({ invoice }: { invoice: Pick<SalesInvoice, 'status' | 'overdue'> }) =>
  invoice.overdue ? (
    <Badge tone="bad">{t('status.overdue')}</Badge>
  ) : (
    <Badge tone={TONES[invoice.status]}>{t(`status.${invoice.status}`)}</Badge>
  )

/** Returns the name of a document. */
export const nameOf = (document: SalesDocument): string => document.number ?? t('draft')

/** Returns the kind of a document, as printed on it. */
export const kindOf = (document: SalesDocument): string =>
  t(`type.${isInvoice(document) ? document.documentType : 'quotation'}`)

export const customerOf = ({ customer }: Pick<SalesDocument, 'customer'>): string =>
  customer.name ?? customer.phone ?? t('customer.none')
