/** Opens the shops of workspaces, with their secrets in plain text and the addresses that they report to. */
import type { Query } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { shopIntakeUrl } from '../http/callbacks/shop-intake.ts'
import { findShop } from '../modules/automating/integrations/operations/listening-shops.ts'
import type { ShopConnection } from '../shop/port.ts'

/** Finds a workspace's shop; undefined if none with this name is connected. */
export const shopOpener =
  ({ siteUrl, ...finding }: { query: Query; sealer: Sealer; siteUrl: string }) =>
  async (workspaceId: string, name: string): Promise<ShopConnection | undefined> => {
    const found = await findShop(finding, workspaceId, name)
    if (!found) return undefined
    const { account, intakeToken, intakeSecret } = found
    return { account, intakeSecret, intakeUrl: shopIntakeUrl(siteUrl, intakeToken) }
  }
