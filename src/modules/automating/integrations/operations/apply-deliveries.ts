/** Applies shops' reports (spec 6.3 order.event): each fact of an order once, in order of arrival. */
import type { Context } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import { emit, touch } from '../../../../core/event.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { Ignored, OrderReport } from '../../../../shop/port.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { settleNumbers } from '../../../messaging/contacts/operations/settle-numbers.ts'
import { orderEvent } from '../events.ts'
import type { Outcome, Provider } from '../order-schema.ts'
import { type DueDelivery, listDueDeliveries, markDeliveriesDone } from '../queries/deliveries.ts'
import { noteEvents } from '../queries/integrations.ts'
import { listOrdersByKey, type OrderKey, type OrderRow, upsertOrders } from '../queries/orders.ts'
import type { StoreSettings } from '../schema.ts'
import { planQuestions } from './cod-plans.ts'
import { SHOP_DELIVERIES } from './intake.ts'
import { notifyOfLatePayments } from './late-payments.ts'
import { type ArrivedReport, becamePaidLate, type FiredEvent, orderAfter } from './order-after.ts'
import { findCustomers } from './order-contacts.ts'
import { readStoreSettings } from './store-settings.ts'

/** Reads the report of a shop of this kind, or returns why it is ignored. */
export type ReadOrder = (provider: Provider, topic: string, bytes: Buffer) => OrderReport | Ignored

type SettingsOf = (integration: string) => StoreSettings

/** The change of an order by one report. */
type Step = { order: OrderRow; fired: FiredEvent[]; arrived: ArrivedReport; isPaidLate: boolean }

const keyOf = ({ provider, shopId, reference }: OrderKey): string =>
  JSON.stringify([provider, shopId, reference])

/**
 * Applies due deliveries of a workspace, at most `limit`. Calls `taken` with them first, before anything can
 * fail.
 */
export async function applyDueDeliveries(
  ctx: Context,
  {
    due,
    limit,
    readOrder,
    taken,
  }: {
    due: DueMoment
    limit: number
    readOrder: ReadOrder
    taken(deliveries: DueDelivery[]): void
  },
): Promise<void> {
  // One process at a time, so that the reports of an order are applied in order.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, SHOP_DELIVERIES)
  const deliveries = await listDueDeliveries(ctx.tx, { due, workspaceId: ctx.workspace.id, limit })
  taken(deliveries)
  if (deliveries.length === 0) return
  await holdOffErasures(ctx)
  const settingsOf = await readStoreSettings(ctx)
  const reports = deliveries.map((delivery) => readOrder(delivery.provider, delivery.topic, delivery.raw))
  const phones = await usablePhones(ctx, reports, (i) => settingsOf(deliveries[i]!.integration))
  const read = deliveries.map((delivery, i): ArrivedReport | Ignored => {
    const report = reports[i]!
    return typeof report === 'string' ? report : arrivedOf(delivery, report, phones.get(i) ?? null)
  })
  const validReports = read.filter((report) => typeof report !== 'string')
  const steps = validReports.length > 0 ? await applyAll(ctx, validReports, settingsOf) : []
  const outcomes = new Map(steps.map((step) => [step.arrived, outcomeOf(step)]))
  await markDeliveriesDone(
    ctx.tx,
    ctx.workspace.id,
    deliveries.map(({ id }, i) => {
      const readDelivery = read[i]!
      return { id, outcome: typeof readDelivery === 'string' ? readDelivery : outcomes.get(readDelivery)! }
    }),
  )
  await noteEvents(ctx, [...new Set(deliveries.map(({ integration }) => integration))])
}

/**
 * Returns the outcome. A report with only known facts is a repeat; a report without facts changed the order.
 */
const outcomeOf = ({ fired, arrived }: Step): Outcome =>
  fired.length === 0 && arrived.report.facts.length > 0 ? 'repeat' : 'applied'

/** Returns the first readable number of each report (E.164), by the report's index. */
async function usablePhones(
  ctx: Context,
  reports: (OrderReport | Ignored)[],
  settingsOf: (place: number) => StoreSettings,
): Promise<Map<number, string>> {
  const numberRequests = reports.flatMap((report, place) =>
    typeof report === 'string'
      ? []
      : report.phones.map(({ text, country }) => ({
          place,
          workspace: ctx.workspace,
          text,
          country: country ?? settingsOf(place).country,
        })),
  )
  const settledNumbers = await settleNumbers(ctx, numberRequests)
  const usable = new Map<number, string>()
  for (const [i, { place }] of numberRequests.entries()) {
    const phone = settledNumbers[i]?.phone
    if (phone !== undefined && !usable.has(place)) usable.set(place, phone)
  }
  return usable
}

const arrivedOf = (
  { provider, shopId, integration }: DueDelivery,
  report: OrderReport,
  phone: string | null,
): ArrivedReport => ({
  key: { provider, shopId: report.shopId ?? shopId, reference: report.reference },
  integration,
  report,
  phone,
})

async function applyAll(ctx: Context, reports: ArrivedReport[], settingsOf: SettingsOf): Promise<Step[]> {
  const orderRows = await listOrdersByKey(ctx, [
    ...new Map(reports.map(({ key }) => [keyOf(key), key])).values(),
  ])
  const orders = new Map(orderRows.map((row) => [keyOf(row), row]))
  const steps = reports.map((report): Step => {
    const before = orders.get(keyOf(report.key))
    const step = orderAfter(before, report, ctx.now)
    orders.set(keyOf(report.key), step.order)
    return { ...step, arrived: report, isPaidLate: becamePaidLate(before, step.order, step.fired) }
  })
  await findOrCreateCustomers(ctx, steps, settingsOf)
  // Each order after its last report. The customer was found for every step.
  const last = [...new Map(steps.map((step) => [keyOf(step.order), step.order])).values()]
  await upsertOrders(ctx, last)
  touch(ctx, { order: last.map(({ id }) => id) })
  for (const step of steps) announce(ctx, step)
  const paidLate = new Set(steps.filter((step) => step.isPaidLate).map(({ order }) => order.id))
  await notifyOfLatePayments(
    ctx,
    last.filter(({ id }) => paidLate.has(id)),
  )
  await planQuestions(ctx, steps, { last, settingsOf })
  return steps
}

/** Finds or creates the contacts of the orders, each once. */
async function findOrCreateCustomers(ctx: Context, steps: Step[], settingsOf: SettingsOf): Promise<void> {
  const open = steps.filter(({ order }) => order.phone !== null && !order.erased)
  const customers = open.flatMap(({ order, fired, arrived }) => {
    const asLead =
      settingsOf(arrived.integration).createLeads && fired.some(({ type }) => type === 'order_placed')
    if (order.contactId !== null && !asLead) return []
    const { phone, customerName: name, provider } = order
    return [{ phone: phone!, name, email: arrived.report.email, provider, asLead }]
  })
  const contacts = await findCustomers(ctx, customers)
  for (const { order } of open) order.contactId = contacts.get(order.phone!) ?? order.contactId
}

function announce(ctx: Context, { order, fired }: Step): void {
  const { provider, shopId, reference, contactId, phone, customerName, currency, url, itemCount } = order
  for (const { type, at } of fired)
    emit(
      ctx,
      orderEvent,
      {
        type,
        provider,
        shopId,
        reference,
        contactId,
        phone,
        customerName,
        total: order.total,
        currency,
        url,
        itemCount,
        cashOnDelivery: order.cashOnDelivery,
        occurredAt: at.toISOString(),
      },
      { contactId },
    )
}
