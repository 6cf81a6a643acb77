/** Changes a payment request's state by reports. Pure functions (DECISIONS.md). */
import type { OperatorPayment } from '../../../../operator/port.ts'
import type { RequestRow } from '../queries/requests.ts'
import { type Failure, OPEN_STATUSES } from '../schema.ts'

export type News =
  | { kind: 'payment'; payment: OperatorPayment }
  /** The gateway accepts no payment for it any more. */
  | { kind: 'ended'; status: 'expired' | 'cancelled' }
  /** The total refund of the payment that counted. */
  | { kind: 'refunds'; refundedPaise: number }

export const isOpen = ({ status }: Pick<RequestRow, 'status'>): boolean =>
  (OPEN_STATUSES as readonly string[]).includes(status)

/** Returns how a request ended; undefined while it is open. */
export const endOf = ({
  status,
}: Pick<RequestRow, 'status'>): 'paid' | 'expired' | 'cancelled' | undefined =>
  status === 'paid' || status === 'expired' || status === 'cancelled' ? status : undefined

/** Returns the request after `news`; the same object if nothing changes. */
export function requestAfter(row: RequestRow, news: News, now: Date): RequestRow {
  if (news.kind === 'payment') return afterPayment(row, news.payment, now)
  if (news.kind === 'refunds') return afterRefunds(row, news.refundedPaise, now)
  return isOpen(row) ? { ...row, status: news.status, updatedAt: now } : row
}

function afterPayment(row: RequestRow, payment: OperatorPayment, now: Date): RequestRow {
  if (payment.state === 'captured')
    return row.status === 'paid' ? afterPaidAgain(row, payment, now) : afterPaid(row, payment, now)
  if (payment.state === 'pending' || !isOpen(row)) return row
  const { code, message } = payment.failure ?? { code: 'failed', message: 'The payment failed.' }
  const failure: Failure = {
    source: 'payment',
    code,
    message,
    at: momentOf(row, payment.at, now).toISOString(),
  }
  // The latest attempt is shown, in any order of reports.
  return row.status === 'failed' && row.failure && row.failure.at >= failure.at
    ? row
    : { ...row, status: 'failed', failure, updatedAt: now }
}

/** A payment counts in any state of the request. */
const afterPaid = (row: RequestRow, payment: OperatorPayment, now: Date): RequestRow => ({
  ...row,
  status: 'paid',
  paidAt: momentOf(row, payment.at, now),
  paidPaise: payment.amountPaise,
  paymentMethod: payment.method,
  paymentId: payment.paymentId,
  refundedPaise: Math.min(payment.refundedPaise, payment.amountPaise),
  failure: null,
  updatedAt: now,
})

/** A further report of the same payment adds missing data; another payment is stored in addition. */
function afterPaidAgain(row: RequestRow, payment: OperatorPayment, now: Date): RequestRow {
  const isSame = payment.paymentId === null || row.paymentId === null || payment.paymentId === row.paymentId
  if (isSame) {
    const paymentId = row.paymentId ?? payment.paymentId
    const paymentMethod = row.paymentMethod ?? payment.method
    const namedRow =
      paymentId === row.paymentId && paymentMethod === row.paymentMethod
        ? row
        : { ...row, paymentId, paymentMethod, updatedAt: now }
    return afterRefunds(namedRow, payment.refundedPaise, now)
  }
  if (row.furtherPayments.some((further) => further.paymentId === payment.paymentId)) return row
  const further = {
    paymentId: payment.paymentId!,
    paidPaise: payment.amountPaise,
    paymentMethod: payment.method,
    paidAt: momentOf(row, payment.at, now).toISOString(),
  }
  return { ...row, furtherPayments: [...row.furtherPayments, further], updatedAt: now }
}

/** Reports of the total refund arrive in any order: the largest is the latest. */
const afterRefunds = (row: RequestRow, refundedPaise: number, now: Date): RequestRow =>
  row.status === 'paid' && refundedPaise > row.refundedPaise && row.refundedPaise < row.paidPaise!
    ? { ...row, refundedPaise: Math.min(refundedPaise, row.paidPaise!), updatedAt: now }
    : row

/** Clocks of others may differ: no event is before the request, or after now. */
const momentOf = (row: RequestRow, time: Date, now: Date): Date =>
  new Date(Math.min(Math.max(time.getTime(), row.createdAt.getTime()), now.getTime()))
