/**
 * Simulates a shop's order report, in the format of a real one and through the same intake (docs/running.md
 * `simulate order`).
 */
import { realTime } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { SIMULATED_SHOP_IDS, type SimulatedOrder, simulatedDelivery } from '../../../shop/simulator/orders.ts'
import { findOrder } from '../integrations/operations/find-order.ts'
import { receiveShopDelivery } from '../integrations/operations/intake.ts'
import { requireSimulatedShop } from '../integrations/operations/simulated-shop.ts'

export type SimulatedReport = Pick<SimulatedOrder, 'store' | 'type' | 'reference'> & {
  from: string
  cod?: boolean | undefined
  name?: string | undefined
  total?: number | undefined
}

const SUM = 2_310
const CURRENCY = 'INR'

/**
 * Stores the shop's report; for a known order, fields that the report omits stay the same. Refuses if there
 * is no simulated shop.
 */
export async function simulateOrder(ctx: Context, report: SimulatedReport): Promise<{ reference: string }> {
  const { store, type, reference, from } = report
  await requireSimulatedShop(ctx, store)
  const existing = await findOrder(ctx, { provider: store, shopId: SIMULATED_SHOP_IDS[store], reference })
  const {
    cod = existing?.cashOnDelivery ?? false,
    name = existing?.customerName ?? 'Asha Rao',
    total = Number(existing?.total ?? SUM),
  } = report
  const { bytes, ...delivery } = simulatedDelivery({
    workspaceId: ctx.workspace.id,
    store,
    type,
    reference,
    from,
    name,
    total,
    currency: CURRENCY,
    cod,
    at: ctx.now,
  })
  await receiveShopDelivery(ctx, {
    workspaceId: ctx.workspace.id,
    id: newId(),
    integration: 'simulator',
    provider: store,
    ...delivery,
    reference,
    types: [type],
    outcome: null,
    raw: bytes,
    runAt: realTime(ctx.now, ctx.workspace),
    receivedAt: ctx.now,
  })
  return { reference }
}
