/** The gateway's reports: stored as received, and applied by background work. */
import { type Context, type Unit, wake } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { GatewayReport } from '../../../../payment-gateway/port.ts'
import { readRefunds } from '../jobs.ts'
import { insertGatewayPost, type NewGatewayPost } from '../queries/gateway-posts.ts'
import { applyNews, type NewsItem } from './apply-payment-reports.ts'
import { applyLinkNews } from './link-reports.ts'

export type { NewGatewayPost }

/** The source of background work that applies reports of gateways. */
export const GATEWAY_POSTS = 'gateway-posts'

/** Stores a report in the caller's transaction; returns false if it was already stored. */
export async function receiveGatewayPost(unit: Unit, post: NewGatewayPost): Promise<boolean> {
  const isNew = await insertGatewayPost(unit.tx, post)
  if (isNew) wake(unit, GATEWAY_POSTS)
  return isNew
}

const newsOf = (report: GatewayReport): Pick<NewsItem, 'about' | 'news'>[] => {
  if (report.kind === 'payment') {
    const { id, ...payment } = report.payment
    return [
      { about: { id: report.requestId }, news: { kind: 'payment', payment: { ...payment, paymentId: id } } },
    ]
  }
  return report.kind === 'link'
    ? [{ about: { id: report.requestId }, news: { kind: 'ended', status: report.status } }]
    : []
}

/** Applies reports in the given order, each fact once. */
export async function applyGatewayReports(
  unit: Unit,
  items: { ctx: Context; report: GatewayReport }[],
): Promise<void> {
  const unmatched = await applyNews(
    unit,
    items.flatMap(({ ctx, report }) => newsOf(report).map((news) => ({ ctx, ...news }))),
  )
  await applyLinkNews(unit, unmatched)
  await enqueueAll(
    readRefunds,
    items.flatMap(({ ctx, report }) =>
      report.kind === 'refund' ? [{ ctx, payload: { paymentId: report.paymentId } }] : [],
    ),
  )
}
