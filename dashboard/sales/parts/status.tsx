import { Badge, type Tone } from '../../kit/badge.tsx'
import { isInvoice, type SalesDocument } from '../queries.ts'
import { t } from '../words.ts'

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

/** How a document stands; a payment that is late stands out. */
export function StatusBadge({ document }: { document: SalesDocument }) {
  if (isInvoice(document) && document.overdue) return <Badge tone="bad">{t('status.overdue')}</Badge>
  return <Badge tone={TONES[document.status]}>{t(`status.${document.status}`)}</Badge>
}

/** What a document is called. */
export const nameOf = (document: SalesDocument): string => document.number ?? t('draft')

/** What kind of document it is, as it is printed on it. */
export const kindOf = (document: SalesDocument): string =>
  t(`type.${isInvoice(document) ? document.documentType : 'quotation'}`)

export const customerOf = ({ customer }: Pick<SalesDocument, 'customer'>): string =>
  customer.name ?? customer.phone ?? t('customer.none')
