import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { findContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { findGateway } from '../../../selling/payments/operations/gateway-connection.ts'
import { findAccount } from '../../../selling/social/operations/accounts.ts'
import type { OrderFilter } from '../order-schema.ts'
import { listShownDeliveries } from '../queries/deliveries.ts'
import { listIntegrationRows } from '../queries/integrations.ts'
import { listOrderRows, listOrderRowsOfContact } from '../queries/orders.ts'
import { type Integration, NAMES, type Name } from '../schema.ts'
import { presentDelivery, presentIntegration, presentOrder, type StoredIntegrations } from './present.ts'
import { hasSimulatedShops } from './simulated-shop.ts'

/** Returns the integrations that a workspace can have. */
const namesOf = async (ctx: Context): Promise<readonly Name[]> =>
  (await hasSimulatedShops(ctx)) ? NAMES : NAMES.filter((name) => name !== 'simulator')

const refuseName = (names: readonly Name[]): never =>
  refuse('unknown_integration', `Integration not found. Use one of ${names.join(', ')}.`)

/** Returns true. Refuses with `unknown_integration` if no integration has this name. */
export const isName = (text: string): boolean => NAMES.some((name) => name === text) || refuseName(NAMES)

/** Returns the name of an integration. Refuses with `unknown_integration`. */
export async function requireName(ctx: Context, text: string): Promise<Name> {
  const names = await namesOf(ctx)
  return names.find((name) => name === text) ?? refuseName(names)
}

const readKnown = async (ctx: Context): Promise<StoredIntegrations> => {
  const [rows, gateway, account] = await Promise.all([
    listIntegrationRows(ctx.tx.sql, ctx.workspace.id),
    findGateway(ctx.tx.sql, ctx.workspace),
    findAccount(ctx.tx.sql, ctx.workspace.id),
  ])
  return { rows, gateway, account }
}

export async function readIntegrations(ctx: Context): Promise<Integration[]> {
  const storedIntegrations = await readKnown(ctx)
  return (await namesOf(ctx)).map((name) => presentIntegration(ctx, name, storedIntegrations))
}

export async function readIntegration(ctx: Context, text: string): Promise<Integration> {
  const name = await requireName(ctx, text)
  return presentIntegration(ctx, name, await readKnown(ctx))
}

/** Returns the workspace's orders, newest first. `contactId` accepts every reference to a contact. */
export async function listOrders(ctx: Context, { contactId: ref, ...filter }: OrderFilter) {
  const contact = ref === undefined ? undefined : await findContact(ctx, ref)
  if (ref !== undefined && !contact) return { orders: [], nextCursor: null }
  const rows = await listOrderRows(ctx, { ...filter, contactId: contact?.id })
  const page = cutPage(rows, filter.limit, ({ id }) => id)
  return { orders: page.rows.map(presentOrder), nextCursor: page.nextCursor }
}

/** Returns the newest orders of a contact, and how many there are. */
export async function listOrdersOfContact(ctx: Context, contactId: string, max: number) {
  const { rows, count: total } = await listOrderRowsOfContact(ctx, contactId, max)
  return { items: rows.map(presentOrder), total }
}

/**
 * Returns a shop's reports of the last days, newest first; none for other integrations. Refuses with
 * `unknown_integration`.
 */
export async function listDeliveries(ctx: Context, text: string, { limit, cursor }: CursorQuery) {
  const rows = await listShownDeliveries(ctx, { name: await requireName(ctx, text), limit, cursor })
  const page = cutPage(rows, limit, ({ id }) => id)
  return { deliveries: page.rows.map(presentDelivery), nextCursor: page.nextCursor }
}
