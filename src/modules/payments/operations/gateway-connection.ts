/** A workspace's payment gateway: connected, replaced, disconnected (docs/running.md `gateway set|remove`). */
import { randomBytes } from 'node:crypto'
import type { Query, Tx } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { setWorkspace } from '../../workspaces/operations/workspaces.ts'
import {
  deleteGatewayRow,
  findGatewayRow,
  findSimulatedGatewayRow,
  type GatewayRow,
  type Importer,
  listGatewayRows,
  upsertGatewayRow,
} from '../queries/gateways.ts'

export type { GatewayRow, Importer }

export const findGateway = (query: Query, workspaceId: string): Promise<GatewayRow | undefined> =>
  findGatewayRow(query, workspaceId)
export const findSimulatedGateway = (query: Query, keyId: string): Promise<GatewayRow | undefined> =>
  findSimulatedGatewayRow(query, keyId)
export const listGateways = (query: Query): Promise<GatewayRow[]> => listGatewayRows(query)

export type NewGateway = {
  workspaceId: string
  provider: 'simulator' | 'razorpay'
  /** The simulator's are made up. */
  keyId?: string | undefined
  keySecret?: string | undefined
  webhookSecret?: string | undefined
  configuration?: string | undefined
  importer?: Importer | undefined
}

const newSecret = (): string => randomBytes(18).toString('base64url')

/** Connects a gateway in place of the one before. A sandbox takes the simulator alone. */
export async function setGateway(tx: Tx, given: NewGateway, now: Date, sealer: Sealer): Promise<void> {
  const { workspaceId, provider, configuration = null, importer = null } = given
  const workspace = await setWorkspace(tx, workspaceId, {})
  if (workspace.sandbox && provider !== 'simulator')
    refuse('sandbox', 'A sandbox takes no real payments. Connect it with --provider simulator.')
  const {
    keyId = `rzp_test_${newSecret()}`,
    keySecret = newSecret(),
    webhookSecret = newSecret(),
  } = provider === 'simulator' ? {} : given
  await upsertGatewayRow(
    tx,
    {
      workspaceId,
      provider,
      keyId,
      keySecretSealed: sealer.seal(keySecret),
      webhookSecretSealed: sealer.seal(webhookSecret),
      configuration,
      importer,
    },
    now,
  )
}

/** Disconnects the gateway; the provider that it was. Open requests stay, and are only paid by what others report. */
export async function deleteGateway(tx: Tx, workspaceId: string): Promise<string> {
  await setWorkspace(tx, workspaceId, {})
  return (
    (await deleteGatewayRow(tx, workspaceId)) ??
    refuse('not_found', 'No payment gateway is connected. Connect one with `parley gateway set`.')
  )
}
