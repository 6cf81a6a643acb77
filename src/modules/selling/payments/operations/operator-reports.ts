/** Reports of payments from the intake of the operator's updates. */
import type { Context, Unit } from '../../../../core/context.ts'
import type { PaymentConfigurationReport, PaymentReport } from '../../../../operator/port.ts'
import { updateConfigurationStatuses } from '../queries/gateways.ts'
import { applyNews, type NewsItem } from './apply-payment-reports.ts'

type ReportItem<Report> = { ctx: Context; report: Report }

/** Applies reports in the given order; returns those about unknown requests. */
export async function applyOperatorReports<
  Item extends ReportItem<PaymentReport | PaymentConfigurationReport>,
>(unit: Unit, items: Item[]): Promise<Item[]> {
  const itemsByNews = new Map<NewsItem, Item>()
  for (const item of items)
    if (item.report.kind === 'payment')
      itemsByNews.set(
        {
          ctx: item.ctx,
          about: { referenceId: item.report.referenceId },
          news: { kind: 'payment', payment: item.report.payment },
        },
        item,
      )
  const unknown = await applyNews(unit, [...itemsByNews.keys()])
  const configurations = items.flatMap(({ ctx, report }) =>
    report.kind === 'payment_configuration'
      ? [{ workspaceId: ctx.workspace.id, name: report.name, status: report.status }]
      : [],
  )
  if (configurations.length > 0) await updateConfigurationStatuses(unit, configurations)
  return unknown.map((item) => itemsByNews.get(item)!)
}
