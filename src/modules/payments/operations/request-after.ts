/** How reports move a payment request from state to state. Pure (docs/decisions/payments.md). */
import type { OperatorPayment } from '../../../operator/port.ts'
import type { RequestRow } from '../queries/requests.ts'
import { type Failure, OPEN_STATUSES } from '../schema.ts'

export type News =
  | { kind: 'payment'; payment: OperatorPayment }
  /** The gateway takes no payment for it any more. */
  | { kind: 'ended'; status: 'expired' | 'cancelled' }
  /** So much was given back of the payment that counted, in all. */
  | { kind: 'refunds'; refundedPaise: number }

export const isOpen = ({ status }: Pick<RequestRow, 'status'>): boolean =>
  (OPEN_STATUSES as readonly string[]).includes(status)

/** How a request is over that is not open any more; undefined while it is open. */
export const endOf = ({
  status,
}: Pick<RequestRow, 'status'>): 'paid' | 'expired' | 'cancelled' | undefined =>
  status === 'paid' || status === 'expired' || status === 'cancelled' ? status : undefined

/** The request as it is after `news`; the same object when nothing changes. */
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
  // The latest attempt is what is shown, in whatever order attempts are reported.
  return row.status === 'failed' && row.failure && row.failure.at >= failure.at
    ? row
    : { ...row, status: 'failed', failure, updatedAt: now }
}

/** Whatever the request was: money that came in, came in. */
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

/** A further report of the same payment adds what the first did not say; a payment of its own is kept beside it. */
function afterPaidAgain(row: RequestRow, payment: OperatorPayment, now: Date): RequestRow {
  const isSame = payment.paymentId === null || row.paymentId === null || payment.paymentId === row.paymentId
  if (isSame) {
    const paymentId = row.paymentId ?? payment.paymentId
    const paymentMethod = row.paymentMethod ?? payment.method
    const named =
      paymentId === row.paymentId && paymentMethod === row.paymentMethod
        ? row
        : { ...row, paymentId, paymentMethod, updatedAt: now }
    return afterRefunds(named, payment.refundedPaise, now)
  }
  if (row.furtherPayments.some((one) => one.paymentId === payment.paymentId)) return row
  const further = {
    paymentId: payment.paymentId!,
    paidPaise: payment.amountPaise,
    paymentMethod: payment.method,
    paidAt: momentOf(row, payment.at, now).toISOString(),
  }
  return { ...row, furtherPayments: [...row.furtherPayments, further], updatedAt: now }
}

/** Reports of what was given back come in any order: the most is the latest. */
const afterRefunds = (row: RequestRow, refundedPaise: number, now: Date): RequestRow =>
  row.status === 'paid' && refundedPaise > row.refundedPaise && row.refundedPaise < row.paidPaise!
    ? { ...row, refundedPaise: Math.min(refundedPaise, row.paidPaise!), updatedAt: now }
    : row

/** Others' clocks may be ahead or behind: nothing happens before the request, or later than now. */
const momentOf = (row: RequestRow, at: Date, now: Date): Date =>
  new Date(Math.min(Math.max(at.getTime(), row.createdAt.getTime()), now.getTime()))
