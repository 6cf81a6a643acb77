/** Simulates people on the simulated photo network for the command line. */
import type { Tx } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { comment, type Dm, type Remark, writeDm } from '../../../social-network/simulator/customers.ts'
import type { SimulatedAccount, SocialStore } from '../../../social-network/simulator/store.ts'
import { findNetworkIdOfComment } from '../../selling/social/comments/operations/read-comments.ts'
import { findAccount } from '../../selling/social/operations/accounts.ts'
import { createSocialSimulatorStore } from './social-simulator-store.ts'

export type Stage = { tx: Tx; sealer: Sealer; workspaceId: string }

/** Returns the workspace's simulated account and its network. Refuses if none is connected. */
async function onStage({ tx, sealer, workspaceId }: Stage): Promise<[SocialStore, SimulatedAccount]> {
  const record = await findAccount(tx.sql, workspaceId)
  if (!record)
    return refuse(
      'not_connected',
      `No account is connected to ${workspaceId}. Connect one with "parley social connect".`,
    )
  if (record.network !== 'simulator')
    refuse(
      'conflict',
      `${record.username} is a real account. Customers can be simulated only for a simulated account.`,
    )
  const store = createSocialSimulatorStore({ query: tx.sql, sealer })
  return [store, (await store.findAccount(record.networkId))!]
}

/** Simulates a customer's message, which gets the returned id. */
export async function simulateDm(stage: Stage, dm: Dm): Promise<{ messageId: string; from: string }> {
  const [store, account] = await onStage(stage)
  const { reportId, customerId } = await writeDm(store, account, dm)
  return { messageId: reportId as string, from: `sx:${customerId}` }
}

/** Simulates a comment, which gets the returned id; `replyTo` is our id of a comment or the network's. */
export async function simulateComment(stage: Stage, remark: Remark): Promise<{ commentId: string }> {
  const [store, account] = await onStage(stage)
  const replyTo = remark.replyTo && (await threadOf(stage, remark.replyTo))
  const { reportId } = await comment(store, account, { ...remark, ...(replyTo ? { replyTo } : {}) })
  return { commentId: reportId as string }
}

async function threadOf({ tx, workspaceId }: Stage, id: string): Promise<string> {
  if (!isUuid(id)) return id
  return (
    (await findNetworkIdOfComment(tx.sql, workspaceId, id)) ??
    refuse('not_found', `Comment ${id} not found, or it can't have replies.`)
  )
}
