import { type Clock, systemClock } from '../../../core/clock.ts'
import type { Query } from '../../../core/context.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { sameSecret } from '../../../core/values/api-key.ts'
import type { SimulatedAccount, SocialStore } from '../../../social-network/simulator/store.ts'
import { webhookBody } from '../../../social-network/simulator/store.ts'
import { receiveSocialReport } from '../../selling/social/intake/operations/intake.ts'
import { type AccountRow, findSimulatedAccount } from '../../selling/social/operations/accounts.ts'
import {
  deleteSimulatorObject,
  findSimulatorObject,
  listSimulatorObjects,
  upsertSimulatorObject,
} from './queries.ts'
import { takeFault } from './simulated-faults.ts'

/** The simulated photo network's name as a target of faults. */
export const SOCIAL_TARGET = 'social'

/**
 * Stores the simulated photo network's data in the database, so that a crash loses nothing and the command
 * line can use it. Its reports go into the intake immediately, as if they had been posted.
 */
export function createSocialSimulatorStore(parts: {
  query: Query
  sealer: Sealer
  clock?: Clock
}): SocialStore {
  const { query, sealer, clock = systemClock } = parts
  const openAccount = (row: AccountRow | undefined): SimulatedAccount | undefined =>
    row?.tokenSealed
      ? { networkId: row.networkId, username: row.username, token: sealer.open(row.tokenSealed) }
      : undefined
  const workspaceOf = async ({ networkId }: { networkId: string }): Promise<string> => {
    const row = await findSimulatedAccount(query, networkId)
    if (!row) throw new Error('the simulated account is gone')
    return row.workspaceId
  }
  const findAccount = async (networkId: string) => openAccount(await findSimulatedAccount(query, networkId))
  const find = async (id: string) => {
    const found = await findSimulatorObject(query, id)
    return found && (found.expiresAt === null || found.expiresAt > clock.now()) ? found : undefined
  }
  return {
    findAccount,
    async findAccountByToken(token) {
      // A simulated token begins with its account's id (inventAccount).
      const account = await findAccount(token.split('.', 1)[0] ?? '')
      if (!account || sameSecret(account.token, token)) return account
      const row = await find(token)
      return row?.kind === 'token' && row.accountId === account.networkId ? account : undefined
    },
    currentTime: clock.now,
    async keep(account, object) {
      await upsertSimulatorObject(query, await workspaceOf(account), {
        ...object,
        accountId: account.networkId,
        bytes: null,
        createdAt: clock.now(),
      })
    },
    find,
    list: async (account, kind) =>
      listSimulatorObjects(query, {
        workspaceId: await workspaceOf(account),
        accountId: account.networkId,
        kind,
        now: clock.now(),
      }),
    drop: async (account, kind, id) =>
      deleteSimulatorObject(query, {
        workspaceId: await workspaceOf(account),
        accountId: account.networkId,
        kind,
        id,
      }),
    async report(account, event) {
      const row = await findSimulatedAccount(query, account.networkId)
      if (!row) return null
      const now = clock.now()
      return receiveSocialReport(query, row, JSON.stringify(webhookBody(account, event, now)), now)
    },
    takeFault: async (account, kinds) =>
      takeFault(query, { workspaceId: await workspaceOf(account), target: SOCIAL_TARGET, kinds }),
  }
}
