/**
 * Applies reports of payments from all sources: the operator, the gateway's webhooks, our own checks. A
 * payment counts once, for any number and order of its reports, and a paid request never becomes unpaid
 * (DECISIONS.md).
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { emit } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import { holdLeads, type LeadPayment, recordPayments } from '../../crm/operations/record-payments.ts'
import { paymentPaid } from '../events.ts'
import {
  findNamedRequests,
  listRequestsForUpdate,
  type RequestKey,
  type RequestRow,
  updateRequests,
} from '../queries/requests.ts'
import { readEarlyRefunds } from './early-refunds.ts'
import { type News, requestAfter } from './request-after.ts'

/** A report about the request that `about` names. */
export type NewsItem = { ctx: Context; about: Omit<RequestKey, 'workspaceId'>; news: News }

const CURRENCY = 'INR'
const MAX_PAISE = 2 ** 31 - 1

/** Returns whether a report may be about a request of ours: those are in whole paise of one currency. */
const isSound = ({ news }: NewsItem): boolean =>
  news.kind !== 'payment' || isSoundPayment(news.payment, MAX_PAISE)

/** Returns whether a payment is in whole paise of our currency, up to `maxPaise`. */
export const isSoundPayment = (
  { currency, amountPaise }: Pick<Extract<News, { kind: 'payment' }>['payment'], 'currency' | 'amountPaise'>,
  maxPaise: number,
): boolean => currency === CURRENCY && amountPaise >= 1 && amountPaise <= maxPaise

/** Applies reports in the given order, each fact once. Returns those without a known request. */
export async function applyNews(unit: Unit, items: NewsItem[]): Promise<NewsItem[]> {
  if (items.length === 0) return []
  const foundRequests = await findNamedRequests(
    unit.tx,
    items.map(({ ctx, about: { id, ...references } }) => ({
      workspaceId: ctx.workspace.id,
      ...references,
      // Other sellers that use the account may name payments in any format.
      ...(id !== undefined && isUuid(id) ? { id } : {}),
    })),
  )
  const matchedItems = items.flatMap((item, i) => {
    const request = foundRequests[i]
    return request && isSound(item) ? [{ ...item, request, workspaceId: item.ctx.workspace.id }] : []
  })
  // The lock order of all operations: leads, then payment requests.
  const ofMoney = matchedItems.filter(({ news }) => news.kind !== 'ended')
  const leads = await holdLeads(
    unit,
    ofMoney.map(({ request, workspaceId }) => ({ workspaceId, contactId: request.contactId })),
  )
  const rows = await listRequestsForUpdate(
    unit.tx,
    matchedItems.map(({ request, workspaceId }) => ({ workspaceId, id: request.id })),
  )
  const before = new Map(rows.map((row) => [row.id, row]))
  const after = new Map(before)
  const contexts = new Map<string, Context>()
  for (const { ctx, news, request } of matchedItems) {
    const row = after.get(request.id)
    if (!row) continue
    contexts.set(row.id, ctx)
    after.set(row.id, requestAfter(row, news, ctx.now))
  }
  const changedRows = [...after.values()].filter((row) => row !== before.get(row.id))
  if (changedRows.length > 0) {
    await updateRequests(unit.tx, changedRows)
    await recordPayments(
      unit,
      leads,
      changedRows.flatMap((row) => leadPaymentsOf(contexts.get(row.id)!, before.get(row.id)!, row)),
    )
    await readEarlyRefunds(
      unit,
      changedRows
        .filter((row) => row.paymentId !== before.get(row.id)!.paymentId)
        .map((row) => ({ ctx: contexts.get(row.id)!, paymentId: row.paymentId })),
    )
    for (const row of changedRows)
      if (before.get(row.id)!.status !== 'paid' && row.status === 'paid') announce(contexts.get(row.id)!, row)
  }
  return items.filter((_, i) => foundRequests[i] === undefined)
}

/** Returns the changes of the lead's total and timeline. */
function leadPaymentsOf(ctx: Context, before: RequestRow, after: RequestRow): LeadPayment[] {
  const subject = { ctx, contactId: after.contactId }
  const commonData = { paymentRequestId: after.id, referenceId: after.referenceId, currency: CURRENCY }
  const leadPayments: LeadPayment[] =
    before.status === 'paid' || after.status !== 'paid'
      ? []
      : [
          {
            ...subject,
            kind: 'payment_received',
            paidPaise: after.paidPaise!,
            paidRequestId: after.id,
            data: { ...commonData, paidPaise: after.paidPaise, paymentMethod: after.paymentMethod },
          },
        ]
  const refunded = after.refundedPaise - before.refundedPaise
  if (refunded <= 0) return leadPayments
  const refund: LeadPayment = {
    ...subject,
    kind: 'payment_refunded',
    paidPaise: -refunded,
    paidRequestId: after.id,
    data: { ...commonData, refundedPaise: refunded },
  }
  return [...leadPayments, refund]
}

function announce(ctx: Context, row: RequestRow): void {
  emit(
    ctx,
    paymentPaid,
    {
      paymentRequestId: row.id,
      referenceId: row.referenceId,
      conversationId: row.conversationId,
      contactId: row.contactId,
      totalPaise: row.totalPaise,
      paidPaise: row.paidPaise!,
      currency: CURRENCY,
      paymentMethod: row.paymentMethod,
      paidAt: row.paidAt!.toISOString(),
    },
    { contactId: row.contactId },
  )
}
