/** Shows one payment request: the requested amount, the payments, and errors. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Fact } from '../../kit/facts.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { formatFull } from '../../kit/time.tsx'
import { type ListedRequest, requestQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatPaise } from './amount.ts'
import { StatusBadge } from './status.tsx'

function Warnings({ request }: { request: ListedRequest }) {
  const { failure, furtherPayments, paidPaise, totalPaise, status } = request
  const further = furtherPayments.reduce((sum, payment) => sum + payment.paidPaise, 0)
  return (
    <>
      {failure && status !== 'paid' && (
        <Callout kind="bad">{t(`failure.${failure.source}`, { message: failure.message })}</Callout>
      )}
      {paidPaise !== null && paidPaise !== totalPaise && <Callout kind="warn">{t('detail.differs')}</Callout>}
      {furtherPayments.length > 0 && (
        <Callout kind="warn">
          {t('detail.further', { count: furtherPayments.length, amount: formatPaise(further) })}
        </Callout>
      )}
    </>
  )
}

function Sum({ request }: { request: ListedRequest }) {
  const line = (key: string, name: string, paise: number) => (
    <li key={key} className="flex gap-3">
      <span className="min-w-0 flex-1 break-words">{name}</span>
      <span className="tabular-nums">{formatPaise(paise)}</span>
    </li>
  )
  return (
    <ul className="flex flex-col gap-1 rounded-md border p-3">
      {request.items.map(({ name, quantity, unitPaise }, index) =>
        line(`${index} ${name}`, t('detail.item', { quantity, name }), quantity * unitPaise),
      )}
      {request.shippingPaise > 0 && line('shipping', t('detail.shipping'), request.shippingPaise)}
      <li className="mt-1 flex gap-3 border-t pt-2 font-semibold">
        <span className="flex-1">{t('detail.total')}</span>
        <span className="tabular-nums">{formatPaise(request.totalPaise)}</span>
      </li>
    </ul>
  )
}

function Facts({ request }: { request: ListedRequest }) {
  const facts: [label: string, value: string | null][] = [
    [t('detail.asked'), formatFull(request.createdAt)],
    [t('detail.expires'), request.expiresAt && formatFull(request.expiresAt)],
    [t('detail.paidAt'), request.paidAt && formatFull(request.paidAt)],
    [t('detail.paid'), request.paidPaise === null ? null : formatPaise(request.paidPaise)],
    [t('detail.method'), request.paymentMethod],
    [t('detail.paymentId'), request.paymentId],
    [t('detail.refunded'), request.refundedPaise > 0 ? formatPaise(request.refundedPaise) : null],
    [t('detail.message'), request.body],
  ]
  return facts
    .filter(([, value]) => value !== null)
    .map(([label, value]) => (
      <Fact key={label} label={label}>
        <span dir="auto" className="break-words">
          {value}
        </span>
      </Fact>
    ))
}

export function RequestDetail({ id, workspace }: { id: string; workspace: string }) {
  const { data: request, error, isLoadingError, isPending, refetch } = useQuery(requestQuery(id))
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={request.status} />
        <span className="min-w-0 flex-1 truncate">{request.customer ?? t('customer')}</span>
        <Link
          to={`/w/${workspace}/inbox/${request.conversationId}` as string}
          className="text-accent underline underline-offset-2"
        >
          {t('detail.openChat')}
        </Link>
      </div>
      <Warnings request={request} />
      <Sum request={request} />
      {request.paymentUrl && <CopyField text={request.paymentUrl} label={t('detail.link')} />}
      <dl>
        <Facts request={request} />
      </dl>
    </div>
  )
}
