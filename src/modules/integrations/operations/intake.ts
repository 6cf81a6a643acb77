/** What shops report: stored as it came, and applied by background work. */
import { type Unit, wake } from '../../../core/context.ts'
import { insertDelivery, type NewDelivery } from '../queries/deliveries.ts'

export type { NewDelivery }

/** The source of background work that applies what shops report. */
export const SHOP_DELIVERIES = 'shop-deliveries'

/** Stores a delivery in the caller's transaction, once; one that nothing is done about is stored without what it says. */
export async function takeInDelivery(unit: Unit, delivery: NewDelivery): Promise<void> {
  const isNew = await insertDelivery(unit.tx, delivery)
  if (isNew && delivery.raw) wake(unit, SHOP_DELIVERIES)
}
