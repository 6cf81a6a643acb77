/** A simulated shop reports an order, in the format of a real one and through the same intake (docs/running.md `simulate order`). */
import { realTime } from '../../core/clock.ts'
import type { Context } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { type SimulatedOrder, simulatedDelivery } from '../../shop/simulator/orders.ts'
import { takeInDelivery } from '../integrations/operations/intake.ts'
import { requireSimulatedShop } from '../integrations/operations/simulated-shop.ts'

export type SimulatedReport = Pick<SimulatedOrder, 'store' | 'type' | 'reference'> & {
  from: string
  cod?: boolean | undefined
  name?: string | undefined
  total?: number | undefined
}

const SUM = 2_310
const CURRENCY = 'INR'

/** Stores what the shop reports. Refuses where there is no such shop. */
export async function simulateOrder(ctx: Context, report: SimulatedReport): Promise<{ reference: string }> {
  const { store, type, reference, from, cod = false, name = 'Asha Rao', total = SUM } = report
  await requireSimulatedShop(ctx, store)
  const { bytes, ...delivery } = simulatedDelivery({
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
  await takeInDelivery(ctx, {
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
