/** Opens the gateways of workspaces, with their secrets in plain text and their base addresses. */
import type { Config } from '../config.ts'
import type { Query, Workspace } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { createEgress, type Egress } from '../egress/egress.ts'
import {
  findGateway,
  type GatewayRow,
  gatewaySecrets,
} from '../modules/selling/payments/operations/gateway-connection.ts'
import type { GatewayConnection } from '../payment-gateway/port.ts'

/** The addresses of this machine. */
const THIS_MACHINE = ['127.0.0.0/8', '::1/128']

/**
 * Opens the egress to gateways. Only the deployment sets their address, so a simulator on this machine is
 * allowed.
 */
export const openGatewayEgress = (config: Pick<Config, 'egressAllow' | 'egressCa'>): Egress =>
  createEgress({ allow: [...config.egressAllow, ...THIS_MACHINE], ca: config.egressCa })

/** Finds a workspace's gateway; undefined if none is connected. */
export const gatewayOpener =
  (options: {
    config: Pick<Config, 'razorpayUrl'>
    query: Query
    sealer: Sealer
    simulatorUrl: string
    workspace(id: string): Promise<Workspace | undefined>
  }) =>
  async (workspaceId: string): Promise<GatewayConnection | undefined> => {
    const workspace = await options.workspace(workspaceId)
    const row = workspace && (await findGateway(options.query, workspace))
    return row && openGateway(row, options)
  }

/** Throws if its secrets were sealed with another key. */
export const openGateway = (
  row: GatewayRow,
  {
    config,
    sealer,
    simulatorUrl,
  }: { config: Pick<Config, 'razorpayUrl'>; sealer: Sealer; simulatorUrl: string },
): GatewayConnection => {
  const { keySecret, webhookSecret } = gatewaySecrets(row, sealer)
  const baseUrl = row.provider === 'simulator' ? simulatorUrl : config.razorpayUrl
  return { provider: row.provider, account: { baseUrl, keyId: row.keyId, keySecret }, webhookSecret }
}
