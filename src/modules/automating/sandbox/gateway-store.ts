import { type Clock, workspaceTime } from '../../../core/clock.ts'
import type { Database, Workspace } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import type { Sealer } from '../../../core/sealing.ts'
import {
  type Entity,
  GATEWAY_FAULTS,
  type GatewayStore,
  type SimulatedAccount,
} from '../../../payment-gateway/simulator/store.ts'
import {
  findGateway,
  gatewaySecrets,
  workspaceIdOfSimulatedKey,
} from '../../selling/payments/operations/gateway-connection.ts'
import { receiveGatewayPost } from '../../selling/payments/operations/gateway-reports.ts'
import { findSimulatorObject, listSimulatorObjectsNewestFirst, upsertSimulatorObject } from './queries.ts'
import { takeFault } from './simulated-faults.ts'

export type GatewayStoreOptions = {
  database: Database
  clock: Clock
  sealer: Sealer
  workspace(id: string): Promise<Workspace | undefined>
}

/** The simulated gateway's name as a target of faults. */
export const GATEWAY_TARGET = 'gateway'

/** The prefix of account ids, before the workspace's id. */
const ACCOUNT = 'acc_'

/**
 * Stores the simulated gateway's data in the database, in each workspace's own time; its reports go to the
 * callback.
 */
export function createGatewayStore(options: GatewayStoreOptions): GatewayStore {
  const { database, clock, sealer } = options
  const workspaceIdOf = ({ id }: SimulatedAccount): string => id.slice(ACCOUNT.length)
  const timeOf = async (account: SimulatedAccount): Promise<Date> => {
    const workspace = await options.workspace(workspaceIdOf(account))
    if (!workspace) throw new Error('the workspace of the simulated gateway is gone')
    return workspaceTime(clock, workspace)
  }
  const shelfOf = (account: SimulatedAccount, kind: string) => ({
    workspaceId: workspaceIdOf(account),
    accountId: account.keyId,
    kind: `gateway_${kind}`,
  })
  return {
    async findAccount(keyId) {
      const workspaceId = workspaceIdOfSimulatedKey(keyId)
      const workspace = workspaceId === undefined ? undefined : await options.workspace(workspaceId)
      const row = workspace && (await findGateway(database.query, workspace))
      if (row?.provider !== 'simulator') return undefined
      return { id: `${ACCOUNT}${row.workspaceId}`, keyId, ...gatewaySecrets(row, sealer) }
    },
    now: timeOf,
    async find(account, kind, id) {
      const shelf = shelfOf(account, kind)
      const found = await findSimulatorObject(database.query, id)
      return found?.kind === shelf.kind && found.accountId === shelf.accountId
        ? (found.value as Entity)
        : undefined
    },
    list: async (account, kind) =>
      (await listSimulatorObjectsNewestFirst(database.query, shelfOf(account, kind))).map(
        ({ value }) => value as Entity,
      ),
    async keep(account, kind, entity) {
      const { workspaceId, ...shelf } = shelfOf(account, kind)
      await upsertSimulatorObject(database.query, workspaceId, {
        ...shelf,
        id: entity.id,
        value: entity,
        bytes: null,
        expiresAt: null,
        createdAt: await timeOf(account),
      })
    },
    async post(account, { id, body }) {
      const now = clock.now()
      const workspaceId = workspaceIdOf(account)
      await database.tenantIds([workspaceId], (unit) =>
        receiveGatewayPost(unit, {
          workspaceId,
          id: newId(),
          eventId: id,
          raw: Buffer.from(body),
          runAt: now,
          receivedAt: now,
        }),
      )
    },
    takeFault: (account) =>
      takeFault(database.query, {
        workspaceId: workspaceIdOf(account),
        target: GATEWAY_TARGET,
        kinds: GATEWAY_FAULTS,
      }),
  }
}
