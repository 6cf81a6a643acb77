import { openGateway, openGatewayEgress } from '../adapters/payment-gateway.ts'
import type { Config } from '../config.ts'
import { createSealer } from '../core/sealing.ts'
import { openDatabase } from '../database/database.ts'
import { type GatewayRow, listGateways } from '../modules/selling/payments/operations/gateway-connection.ts'
import type { Gateway, GatewayConnection } from '../payment-gateway/port.ts'
import { createRazorpay } from '../payment-gateway/razorpay/gateway.ts'
import { type Check, failed, ok, warning } from './doctor-check.ts'

const NAME = 'payment gateways'

/** Checks whether the gateways' secrets can be decrypted, and whether the real gateways accept their keys. */
export async function checkGateways(
  databaseUrl: string,
  config: Config,
  secretKey: string | undefined,
): Promise<Check[]> {
  const rows = await connectedGateways(databaseUrl)
  if (rows.length === 0) return [ok(NAME, 'no payment gateway is connected')]
  const egress = openGatewayEgress(config)
  try {
    const gateway = createRazorpay({ egress })
    const checks = await Promise.all(rows.map((row) => checkGateway(row, gateway, { config, secretKey })))
    return checks.flat()
  } finally {
    await egress.close()
  }
}

async function connectedGateways(url: string): Promise<GatewayRow[]> {
  const database = openDatabase({
    url,
    connections: 1,
    onError: () => {},
    recordEvents: async () => {},
    onCommit: () => {},
  })
  try {
    return await listGateways(database.query)
  } finally {
    await database.close()
  }
}

async function checkGateway(
  row: GatewayRow,
  gateway: Gateway,
  { config, secretKey }: { config: Config; secretKey: string | undefined },
): Promise<Check[]> {
  const label = `${row.provider} of the workspace ${row.workspaceId}`
  let connection: GatewayConnection
  try {
    const sealer = createSealer(secretKey ?? '')
    connection = openGateway(row, { config, sealer, simulatorUrl: '' })
  } catch {
    return [failed(NAME, `${label}: its secrets were encrypted with another key. Connect it again`)]
  }
  const { configuration, configurationStatus } = row
  const configured =
    configuration === null || configurationStatus === null || configurationStatus === 'active'
      ? []
      : [warning(NAME, `${label}: the operator reports ${configuration} as ${configurationStatus}`)]
  if (row.provider === 'simulator') return [ok(NAME, `${label}: connected`), ...configured]
  const answer = await gateway.checkAccount(connection.account)
  if (answer.kind === 'done') return [ok(NAME, `${label}: accepts the key`), ...configured]
  return [
    answer.kind === 'refused' && answer.permanent
      ? failed(NAME, `${label}: rejects the key: ${answer.message}`)
      : warning(
          NAME,
          `${label}: doesn't answer: ${answer.kind === 'unknown' ? answer.reason : answer.message}`,
        ),
    ...configured,
  ]
}
