import { Badge, type Tone } from '../../kit/badge.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { isOpen, type ListedRequest, type PaymentStatus } from '../queries.ts'
import { t } from '../texts.ts'

const STATUSES: Record<PaymentStatus, Tone> = {
  created: 'plain',
  sent: 'accent',
  paid: 'good',
  failed: 'bad',
  expired: 'warn',
  cancelled: 'plain',
}
export const PAYMENT_STATUSES = Object.keys(STATUSES) as PaymentStatus[]

export const StatusBadge = ({ status }: { status: PaymentStatus }) => (
  <Badge tone={STATUSES[status]}>{t(`status.${status}`)}</Badge>
)

/** Copies the payment link, while the request can be paid. */
export const CopyLink = ({ request }: { request: ListedRequest }) =>
  request.paymentUrl &&
  isOpen(request) && (
    <CopyButton text={request.paymentUrl} label={t('copyLink', { order: request.referenceId })} />
  )
