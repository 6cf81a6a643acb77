/** Applies reports of other modules' payment links, from the gateway's webhooks and our own checks. */
import type { Context, OutsideContext, Unit } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { GatewayAnswer } from '../../../../payment-gateway/port.ts'
import {
  findLinkOfFurtherPayment,
  findLinkOfPayment,
  findLinkRow,
  type LinkRow,
  listLinksForUpdate,
  updateLinkRow,
} from '../queries/links.ts'
import { MAX_TOTAL_PAISE } from '../schema.ts'
import { isSoundPayment, type NewsItem } from './apply-payment-reports.ts'
import { nextCheckAfterFault, nextCheckAt } from './check-times.ts'
import { readEarlyRefunds } from './early-refunds.ts'
import { followLink } from './follow-link.ts'
import { newsOfLink } from './read-link-report.ts'
import type { News } from './request-after.ts'

/** Returns the link after a report; the same object if nothing changes. */
function linkAfter(row: LinkRow, news: News, now: Date): LinkRow {
  if (news.kind === 'refunds') return row
  if (news.kind === 'ended')
    return row.status === 'open' ? { ...row, status: news.status, updatedAt: now } : row
  const { state, amountPaise, paymentId, method } = news.payment
  if (state !== 'captured' || !isSoundPayment(news.payment, MAX_TOTAL_PAISE)) return row
  if (row.status !== 'paid')
    return {
      ...row,
      status: 'paid',
      paidAt: now,
      paidPaise: amountPaise,
      paymentMethod: method,
      paymentId,
      failure: null,
      updatedAt: now,
    }
  if (paymentId === null || row.paymentId === paymentId) return row
  if (row.paymentId === null) return { ...row, paymentId, paymentMethod: row.paymentMethod ?? method }
  if (row.furtherPayments.some((payment) => payment.paymentId === paymentId)) return row
  return {
    ...row,
    furtherPayments: [...row.furtherPayments, { paymentId, paidPaise: amountPaise }],
    updatedAt: now,
  }
}

/** Returns the payment of a report if it was refunded completely. */
const refundedPaymentsIn = (news: News): string[] =>
  news.kind === 'payment' &&
  news.payment.state === 'captured' &&
  news.payment.paymentId !== null &&
  news.payment.refundedPaise >= news.payment.amountPaise
    ? [news.payment.paymentId]
    : []

/** Returns the gateway's ids of payments that were unknown before the report. */
function newPaymentsOf(before: LinkRow, after: LinkRow): string[] {
  const further = after.furtherPayments.slice(before.furtherPayments.length)
  const first = before.paymentId === null && after.paymentId !== null ? [after.paymentId] : []
  return [...first, ...further.map(({ paymentId }) => paymentId)]
}

/** Applies reports about links in the given order, each fact once. */
export async function applyLinkNews(unit: Unit, items: NewsItem[]): Promise<void> {
  const linkNews = items.flatMap((item) =>
    item.about.id !== undefined && isUuid(item.about.id)
      ? [{ ...item, workspaceId: item.ctx.workspace.id, id: item.about.id.toLowerCase() }]
      : [],
  )
  if (linkNews.length === 0) return
  const before = new Map((await listLinksForUpdate(unit, linkNews)).map((row) => [row.id, row]))
  const after = new Map(before)
  const contexts = new Map<string, Context>()
  for (const { ctx, id, news } of linkNews) {
    const row = after.get(id)
    if (!row) continue
    contexts.set(id, ctx)
    after.set(id, linkAfter(row, news, ctx.now))
  }
  for (const [id, row] of after) {
    const previous = before.get(id)!
    const refundedIds = linkNews.flatMap((item) => (item.id === id ? refundedPaymentsIn(item.news) : []))
    if (row === previous && refundedIds.length === 0) continue
    const { workspaceId: _, id: __, ...change } = row
    if (row !== previous) await updateLinkRow(unit, row, change)
    const furtherPayments = row.furtherPayments.slice(previous.furtherPayments.length)
    await followLink(contexts.get(id)!, row, { furtherPayments, givenBack: refundedIds })
  }
  await readEarlyRefunds(
    unit,
    [...after].flatMap(([id, row]) =>
      newPaymentsOf(before.get(id)!, row).map((paymentId) => ({ ctx: contexts.get(id)!, paymentId })),
    ),
  )
}

/**
 * Applies the total refund of a payment. The link's module is notified once the whole payment is refunded.
 * Returns false if no link has the payment.
 */
export async function applyLinkRefunds(
  ctx: Context,
  paymentId: string,
  refundedPaise: number,
): Promise<boolean> {
  const link = (await findLinkOfPayment(ctx, paymentId)) ?? (await findLinkOfFurtherPayment(ctx, paymentId))
  if (!link) return false
  const further = link.furtherPayments.find((payment) => payment.paymentId === paymentId)
  if (refundedPaise >= (further ?? link).paidPaise!) await followLink(ctx, link, { givenBack: [paymentId] })
  return true
}

type AnswerReader = <Value>(answer: GatewayAnswer<Value | undefined>) => Value | undefined

/** Throws if a retry may help. */
const valueOrRetry: AnswerReader = (answer) => {
  if (answer.kind === 'done') return answer.value
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (!answer.permanent) throw new Error(answer.message)
  return undefined
}

/** Without an answer, the next check asks again. */
const valueOrNothing: AnswerReader = (answer) => (answer.kind === 'done' ? answer.value : undefined)

type GatewayQuery = { call: 'findLink' | 'cancelLink'; taken: AnswerReader }

/** Reads a link at the gateway, with the given function, and applies its news. */
async function queryGateway(
  ctx: OutsideContext,
  id: string,
  { call, taken }: GatewayQuery,
): Promise<(ctx: Context) => Promise<LinkRow | undefined>> {
  const row = await ctx.transaction((txCtx) => findLinkRow(txCtx, id))
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (!row || row.status === 'paid' || row.linkAskedAt === null || connection?.provider !== row.provider)
    return (txCtx) => findLinkRow(txCtx, id)
  const { gateway } = ctx.outside
  const { account } = connection
  const found = row.linkId ?? taken(await gateway.findLinkByReference(account, id))?.id
  const link = found === undefined ? undefined : taken(await gateway[call](account, found))
  return async (txCtx) => {
    const news = link ? newsOfLink(link, txCtx.now) : []
    await applyLinkNews(
      txCtx,
      news.map((item) => ({ ctx: txCtx, about: { id }, news: item })),
    )
    return findLinkRow(txCtx, id)
  }
}

/** Checks a link without reports; returns when to check next, or undefined after the last check. */
export async function checkLinkNow(
  ctx: OutsideContext,
  id: string,
): Promise<(ctx: Context) => Promise<Date | undefined>> {
  const apply = await queryGateway(ctx, id, { call: 'findLink', taken: valueOrNothing })
  return async (txCtx) => {
    const row = await apply(txCtx)
    return row && row.status !== 'paid' ? nextCheckAt(row, txCtx.now) : undefined
  }
}

/** Returns when to check next after an internal error. */
export async function nextLinkCheckAfterFault(ctx: Context, id: string): Promise<Date | undefined> {
  const row = await findLinkRow(ctx, id)
  return row && row.status !== 'paid' ? nextCheckAfterFault(row, ctx.now) : undefined
}

/** Cancels a link at the gateway. If it was paid meanwhile, it becomes paid. */
export async function endLinkOf(ctx: OutsideContext, id: string): Promise<(ctx: Context) => Promise<void>> {
  const apply = await queryGateway(ctx, id, { call: 'cancelLink', taken: valueOrRetry })
  return async (txCtx) => void (await apply(txCtx))
}
