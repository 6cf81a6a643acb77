/**
 * Connects, replaces, and disconnects a workspace's payment gateway (docs/running.md `gateway set|remove`).
 */
import type { Query, Tx, Workspace } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { getWorkspace } from '../../../platform/workspaces/operations/get-workspace.ts'
import {
  deleteGatewayRow,
  findGatewayRow,
  type GatewayRow,
  type Importer,
  listGatewayRows,
  upsertGatewayRow,
} from '../queries/gateways.ts'

export type { GatewayRow, Importer }

const SIMULATED_KEY = 'rzp_test_'
const simulatedKeyId = (workspaceId: string): string => SIMULATED_KEY + workspaceId.replaceAll('-', '')

/** Returns the workspace of a simulated gateway's key; undefined for other keys. */
export function workspaceIdOfSimulatedKey(keyId: string): string | undefined {
  const [, ...parts] =
    /^rzp_test_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(keyId) ?? []
  return parts.length > 0 ? parts.join('-') : undefined
}

/** The default of a sandbox: it needs no connection, because nothing pays without a command. */
const simulatedGateway = (workspaceId: string): GatewayRow => ({
  workspaceId,
  provider: 'simulator',
  keyId: simulatedKeyId(workspaceId),
  keySecretSealed: null,
  webhookSecretSealed: null,
  configuration: null,
  configurationStatus: null,
  importer: null,
})

/** Returns a workspace's gateway; a sandbox always has one. */
export const findGateway = async (
  query: Query | Tx['sql'],
  { id, sandbox }: Pick<Workspace, 'id' | 'sandbox'>,
): Promise<GatewayRow | undefined> =>
  (await findGatewayRow(query, id)) ?? (sandbox ? simulatedGateway(id) : undefined)

/** Returns a gateway's decrypted secrets. Throws if they were sealed with another key. */
export const gatewaySecrets = (
  { workspaceId, keySecretSealed, webhookSecretSealed }: GatewayRow,
  sealer: Sealer,
): { keySecret: string; webhookSecret: string } => {
  const open = (sealed: Buffer | null, use: string): string =>
    sealed === null ? sealer.secretFor(`simulated gateway ${workspaceId} ${use}`) : sealer.open(sealed)
  return { keySecret: open(keySecretSealed, 'key'), webhookSecret: open(webhookSecretSealed, 'webhook') }
}

export const listGateways = (query: Query): Promise<GatewayRow[]> => listGatewayRows(query)

export type NewGateway = {
  workspaceId: string
  configuration?: string | undefined
  importer?: Importer | undefined
} & (
  | { provider: 'simulator' }
  | { provider: 'razorpay'; keyId: string; keySecret: string; webhookSecret: string }
)

/** Connects a gateway, replacing an earlier one. A sandbox accepts only the simulator. */
export async function setGateway(tx: Tx, connection: NewGateway, now: Date, sealer: Sealer): Promise<void> {
  const { workspaceId, provider, configuration = null, importer = null } = connection
  const workspace = await getWorkspace(tx, workspaceId)
  if (workspace.sandbox && provider !== 'simulator')
    refuse('sandbox', "A sandbox can't take real payments. Connect it with --provider simulator.")
  const row =
    connection.provider === 'simulator'
      ? simulatedGateway(workspaceId)
      : {
          workspaceId,
          provider,
          keyId: connection.keyId,
          keySecretSealed: sealer.seal(connection.keySecret),
          webhookSecretSealed: sealer.seal(connection.webhookSecret),
        }
  await upsertGatewayRow(tx, { ...row, configuration, importer }, now)
}

/**
 * Disconnects the gateway and returns its provider. Open requests stay, and only reports from others can mark
 * them as paid. A sandbox gets the default simulated gateway.
 */
export async function deleteGateway(tx: Tx, workspaceId: string): Promise<string> {
  const { sandbox } = await getWorkspace(tx, workspaceId)
  return (
    (await deleteGatewayRow(tx, workspaceId)) ??
    refuse(
      'not_found',
      sandbox
        ? 'No payment gateway is connected. A sandbox always has the simulated gateway.'
        : 'No payment gateway is connected. An admin can connect one in Integrations.',
    )
  )
}
