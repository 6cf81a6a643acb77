/** A simulated shop reports an order, in the format of a real one and through the same intake (docs/running.md `simulate order`). */
import type { Unit, Workspace } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { type SimulatedOrder, simulatedDelivery } from '../../shop/simulator/orders.ts'
import { takeInDelivery } from '../integrations/operations/intake.ts'

export type SimulatedReport = Pick<SimulatedOrder, 'store' | 'type' | 'reference'> & {
  from: string
  cod?: boolean | undefined
  name?: string | undefined
  total?: number | undefined
}

const SUM = 2_310
const CURRENCY = 'INR'

/** Stores what the shop reports. `at` is in the workspace's time, `realAt` when it happens. */
export async function simulateOrder(
  unit: Unit,
  workspace: Pick<Workspace, 'id'>,
  { report, at, realAt }: { report: SimulatedReport; at: Date; realAt: Date },
): Promise<{ reference: string }> {
  const { store, type, reference, from, cod = false, name = 'Asha Rao', total = SUM } = report
  const { bytes, ...delivery } = simulatedDelivery({
    store,
    type,
    reference,
    from,
    name,
    total,
    currency: CURRENCY,
    cod,
    at,
  })
  await takeInDelivery(unit, {
    workspaceId: workspace.id,
    id: newId(),
    integration: 'simulator',
    provider: store,
    ...delivery,
    reference,
    types: [type],
    outcome: null,
    raw: bytes,
    runAt: realAt,
    receivedAt: at,
  })
  return { reference }
}
