/** The gateways of workspaces, with their secrets in the clear and the address that answers for each. */
import type { Config } from '../config.ts'
import type { Query } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { createEgress, type Egress } from '../egress/egress.ts'
import { findGateway, type GatewayRow } from '../modules/payments/operations/gateway-connection.ts'
import type { GatewayConnection } from '../payment-gateway/port.ts'

/** Addresses of this very machine. */
const THIS_MACHINE = ['127.0.0.0/8', '::1/128']

/** The way out to gateways. Their address is a setting of the deployment, never a customer's: a stand-in may lie here. */
export const openGatewayEgress = (config: Pick<Config, 'egressAllow' | 'egressCa'>): Egress =>
  createEgress({ allow: [...config.egressAllow, ...THIS_MACHINE], ca: config.egressCa })

/** Finds a workspace's gateway; undefined when none is connected. */
export const gatewayOpener =
  (options: { config: Pick<Config, 'razorpayUrl'>; query: Query; sealer: Sealer; simulatorUrl: string }) =>
  async (workspaceId: string): Promise<GatewayConnection | undefined> => {
    const row = await findGateway(options.query, workspaceId)
    return row && openGateway(row, options)
  }

/** Throws when its secrets were sealed with another key. */
export const openGateway = (
  row: GatewayRow,
  {
    config,
    sealer,
    simulatorUrl,
  }: { config: Pick<Config, 'razorpayUrl'>; sealer: Sealer; simulatorUrl: string },
): GatewayConnection => ({
  provider: row.provider,
  account: {
    baseUrl: row.provider === 'simulator' ? simulatorUrl : config.razorpayUrl,
    keyId: row.keyId,
    keySecret: sealer.open(row.keySecretSealed),
  },
  webhookSecret: sealer.open(row.webhookSecretSealed),
})
