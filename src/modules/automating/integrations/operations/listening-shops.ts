/** Shops with their decrypted secrets, for their reports and our requests. */
import type { Query } from '../../../../core/context.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import type { ShopAccount } from '../../../../shop/port.ts'
import type { Provider } from '../order-schema.ts'
import { findIntegrationByToken, findIntegrationRow } from '../queries/integrations.ts'
import { openSecrets } from './secrets.ts'

type Finding = { query: Query; sealer: Sealer }

/** A shop whose reports are accepted at its address. */
export type ListeningShop = {
  workspaceId: string
  name: string
  provider: Provider
  shopId: string
  /** The secret that signs its reports. */
  secret: string
}

/** The secret that signs each shop's reports. */
const SIGNING: Record<Provider, string> = {
  shopify: 'apiSecret',
  woocommerce: 'webhookSecret',
  orders: 'secret',
}

const isProvider = (name: string): name is Provider => name in SIGNING

/** Returns the shop whose address ends in `token`. */
export async function findShopByToken(
  { query, sealer }: Finding,
  token: string,
): Promise<ListeningShop | undefined> {
  const row = await findIntegrationByToken(query, token)
  if (!row || !isProvider(row.name)) return undefined
  const secret = openSecrets(row.secretsSealed, sealer)[SIGNING[row.name]]
  if (secret === undefined || row.shopId === null) return undefined
  const { workspaceId, name, shopId } = row
  return { workspaceId, name, provider: name, shopId, secret }
}

/** A shop with its credentials, and the address and secret of its reports. */
export type OpenedShop = { account: ShopAccount; intakeToken: string; intakeSecret: string | undefined }

/** Returns undefined if the shop isn't connected, or accepts no requests. */
export async function findShop(
  { query, sealer }: Finding,
  workspaceId: string,
  name: string,
): Promise<OpenedShop | undefined> {
  const row = await findIntegrationRow(query, workspaceId, name)
  if (!row || row.intakeToken === null) return undefined
  const secrets = openSecrets(row.secretsSealed, sealer)
  const intake = { intakeToken: row.intakeToken, intakeSecret: secrets.webhookSecret }
  if (row.name === 'shopify')
    return {
      ...intake,
      account: { provider: 'shopify', url: `https://${String(row.settings.shop)}`, secrets },
    }
  if (row.name === 'woocommerce')
    return { ...intake, account: { provider: 'woocommerce', url: String(row.settings.url), secrets } }
  return undefined
}
