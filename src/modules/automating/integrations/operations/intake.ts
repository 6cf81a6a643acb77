/** Stores shops' reports as they arrive. Background work applies them. */
import { type Unit, wake } from '../../../../core/context.ts'
import { insertDelivery, type NewDelivery } from '../queries/deliveries.ts'

export type { NewDelivery }

/** The name of the background work that applies shops' reports. */
export const SHOP_DELIVERIES = 'shop-deliveries'

/** Stores a delivery in the caller's transaction, once. An ignored delivery is stored without its content. */
export async function receiveShopDelivery(unit: Unit, delivery: NewDelivery): Promise<void> {
  const isNew = await insertDelivery(unit.tx, delivery)
  if (isNew && delivery.raw) wake(unit, SHOP_DELIVERIES)
}
