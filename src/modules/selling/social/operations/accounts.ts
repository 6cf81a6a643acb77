/** A workspace's account at the photo network: connect, disconnect, and the state of its connection. */
import { randomBytes, randomInt } from 'node:crypto'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context, Query, Tx, Unit } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import type { NetworkProfile } from '../../../../social-network/port.ts'
import { type Author, COMMAND_LINE, recordBy } from '../../../platform/workspaces/operations/activity.ts'
import { getWorkspace } from '../../../platform/workspaces/operations/get-workspace.ts'
import {
  type AccountRow,
  findAccountOf,
  findAccountOfForUpdate,
  findHolder,
  setReconnectRequired,
  updateAccount,
  upsertAccount,
} from '../queries/accounts.ts'

export type { AccountRow } from '../queries/accounts.ts'

/** A token is first refreshed after a day: the network refuses younger ones. */
const FIRST_REFRESH_MS = DAY_MS

export type NewAccount = {
  workspaceId: string
  /** The account's data at the network. */
  profile: Pick<NetworkProfile, 'networkId' | 'scopedId' | 'username' | 'name'>
  network: 'simulator' | 'graph'
  token: string
  appSecret: string
  verifyToken: string
}

const secret = (): string => randomBytes(32).toString('base64url')

/** Returns a simulated account with invented ids and credentials; for a known one only new credentials. */
export function inventAccount(workspaceId: string, replaced?: Pick<AccountRow, 'networkId'>): NewAccount {
  const networkId = replaced?.networkId ?? `17841${String(randomInt(1e12)).padStart(12, '0')}`
  return {
    workspaceId,
    network: 'simulator',
    profile: { networkId, scopedId: null, username: `shop_${networkId.slice(-6)}`, name: 'Simulated shop' },
    // The simulator finds the account by this part of the token.
    token: `${networkId}.${secret()}`,
    appSecret: secret(),
    verifyToken: secret(),
  }
}

/**
 * Connects the account, replacing a connected one with the same id, which repairs a broken connection.
 * Refuses a sandbox (spec 4.9), a second account, and an account that another workspace has.
 */
export async function connectAccount(
  tx: Tx,
  // Null: the stored verify token remains.
  input: Omit<NewAccount, 'verifyToken'> & { verifyToken: string | null },
  now: Date,
  sealer: Sealer,
  by: Author = COMMAND_LINE,
): Promise<{ accountId: string; username: string }> {
  const { workspaceId, network, profile } = input
  await requireNoSandbox(tx, workspaceId)
  const existing = await findAccountOfForUpdate(tx, workspaceId)
  if (existing && (existing.network !== network || existing.networkId !== profile.networkId))
    refuse('conflict', `The workspace is already connected to ${existing.username}. Disconnect it first.`)
  const holder = await findHolder(tx.sql, network, profile.networkId)
  if (holder && holder.workspaceId !== workspaceId)
    refuse(
      'conflict',
      `${profile.username} is already connected to another workspace. Disconnect it there first.`,
    )
  const accountId = await upsertAccount(tx, {
    workspaceId,
    id: newId(),
    network,
    networkId: profile.networkId,
    scopedId: profile.scopedId,
    username: profile.username,
    name: profile.name,
    state: 'connected',
    tokenSealed: sealer.seal(input.token),
    appSecretSealed: sealer.seal(input.appSecret),
    verifyTokenHash:
      input.verifyToken === null ? (existing?.verifyTokenHash ?? null) : sha256(input.verifyToken),
    refreshDueAt: later(now, FIRST_REFRESH_MS),
    connectedAt: now,
    createdAt: now,
  })
  const { username } = profile
  await recordBy(tx, { by, workspaceId, at: now }, 'social.connected', { accountId, username })
  return { accountId, username }
}

/**
 * Returns whether PostgreSQL rejected an account that another workspace has. A transaction of one workspace
 * can't see that row, and two workspaces may connect the same account at the same moment.
 */
export const isHeldElsewhere = (error: unknown): boolean =>
  error instanceof Error &&
  (error as Error & { code?: unknown }).code === '23505' &&
  String((error as Error & { constraint?: unknown }).constraint).startsWith('social_accounts_holder')

/** Returns the workspace's simulated account with an expired token, which a reconnect repairs. */
export async function findBrokenSimulated(
  query: Query,
  workspaceId: string,
): Promise<AccountRow | undefined> {
  const account = await findAccountOf(query, workspaceId)
  return account?.network === 'simulator' && account.state === 'reconnect_required' ? account : undefined
}

/** Refuses to connect the photo network in a sandbox (spec 4.9). */
export async function requireNoSandbox(tx: Tx, workspaceId: string): Promise<void> {
  const workspace = await getWorkspace(tx, workspaceId)
  if (workspace.sandbox)
    refuse('sandbox', "A sandbox can't connect to the photo network. Use a workspace that isn't a sandbox.")
}

/** Deletes the account's credentials; its chats and comments stay. */
export async function disconnectAccount(
  tx: Tx,
  workspaceId: string,
  now: Date,
  by: Author = COMMAND_LINE,
): Promise<{ accountId: string; username: string }> {
  await getWorkspace(tx, workspaceId)
  const account = await findAccountOfForUpdate(tx, workspaceId)
  if (!account)
    return refuse('not_connected', 'No photo network account is connected. There is nothing to disconnect.')
  const { id: accountId, username } = account
  await updateAccount(tx, account, {
    state: 'disconnected',
    stateReason: null,
    tokenSealed: null,
    appSecretSealed: null,
    verifyTokenHash: null,
    tokenExpiresAt: null,
    refreshDueAt: null,
  })
  await recordBy(tx, { by, workspaceId, at: now }, 'social.disconnected', { accountId, username })
  return { accountId, username }
}

/** Returns the workspace's account; undefined if none is connected. */
export const findAccount: (query: Query, workspaceId: string) => Promise<AccountRow | undefined> =
  findAccountOf

/** Returns the workspace's account if its last known connection works; otherwise refuses with 409. */
export async function requireConnected(query: Query, workspaceId: string): Promise<AccountRow> {
  const account = await findAccountOf(query, workspaceId)
  if (!account)
    return refuse(
      'not_connected',
      'No photo network account is connected. An admin can connect one in Integrations.',
    )
  if (account.state === 'reconnect_required')
    refuse(
      'reconnect_required',
      `The token of ${account.username} is no longer valid. Connect the account again.`,
    )
  return account
}

/** Does the same inside a transaction. */
export const requireAccount = (ctx: Context): Promise<AccountRow> =>
  requireConnected(ctx.tx.sql, ctx.workspace.id)

/** Returns the simulated account by the network's id. */
export const findSimulatedAccount = (query: Query, networkId: string): Promise<AccountRow | undefined> =>
  findHolder(query, 'simulator', networkId)

/** Records that the network refused the token of a call. */
export const noteTokenRefused = (
  unit: Unit,
  account: Pick<AccountRow, 'workspaceId' | 'id' | 'tokenSealed'>,
  reason: string,
): Promise<unknown> => setReconnectRequired(unit.tx, account, reason)
