/** Converts the gateway's entities to news of a request. */
import type { GatewayPayment, PaymentLink } from '../../../../payment-gateway/port.ts'
import type { News } from './request-after.ts'

export const newsOfPayment = ({ id, ...payment }: GatewayPayment): News => ({
  kind: 'payment',
  payment: { ...payment, paymentId: id },
})

/** Returns the news in a link. */
export function newsOfLink(link: PaymentLink, now: Date): News[] {
  const payments = link.payments.map(newsOfPayment)
  if (link.status === 'expired' || link.status === 'cancelled')
    return [...payments, { kind: 'ended', status: link.status }]
  if (link.status !== 'paid' || link.payments.some(({ state }) => state === 'captured')) return payments
  // It is paid, but does not list its payments.
  const fullPayment = {
    state: 'captured',
    amountPaise: link.amountPaise,
    currency: 'INR',
    paymentId: null,
  } as const
  return [
    ...payments,
    { kind: 'payment', payment: { ...fullPayment, method: null, at: now, refundedPaise: 0, failure: null } },
  ]
}
