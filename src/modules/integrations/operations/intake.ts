/** What shops report: stored as it came, and applied by background work. */
import { type Unit, wake } from '../../../core/context.ts'
import { insertDelivery, type NewDelivery } from '../queries/deliveries.ts'

export type { NewDelivery }

/** The source of background work that applies what shops report. */
export const SHOP_DELIVERIES = 'shop-deliveries'

/** Stores a delivery in the caller's transaction; false when it came before. */
export async function takeInDelivery(unit: Unit, delivery: NewDelivery): Promise<boolean> {
  const isNew = await insertDelivery(unit.tx, delivery)
  if (isNew) wake(unit, SHOP_DELIVERIES)
  return isNew
}
