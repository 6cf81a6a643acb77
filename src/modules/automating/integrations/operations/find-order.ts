import type { Context } from '../../../../core/context.ts'
import { listOrdersByKey, type OrderKey, type OrderRow } from '../queries/orders.ts'

/** Returns an order of a shop; undefined until its first report was applied. */
export const findOrder = async (ctx: Context, key: OrderKey): Promise<OrderRow | undefined> =>
  (await listOrdersByKey(ctx, [key]))[0]
