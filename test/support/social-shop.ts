/** Workspaces with an account at the simulated photo network, and the people who message them there. */
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { armFault } from '../../src/modules/automating/sandbox/simulated-faults.ts'
import {
  createSocialSimulatorStore,
  SOCIAL_TARGET,
} from '../../src/modules/automating/sandbox/social-simulator-store.ts'
import {
  connectAccount,
  inventAccount,
  type NewAccount,
} from '../../src/modules/selling/social/operations/accounts.ts'
import { comment, type Dm, type Remark, writeDm } from '../../src/social-network/simulator/customers.ts'
import type { FaultKind, SimulatedAccount, SocialStore } from '../../src/social-network/simulator/store.ts'
import { SECRET_KEY, type TestParley, type TestWorkspace } from './boot.ts'
import { until } from './until.ts'

export type SocialShop = TestWorkspace & {
  networkId: string
  accountId: string
  account: NewAccount
  /** Connects the account again, with its token at the network. */
  reconnect(): Promise<void>
  /** The clock of the service, which the network uses too. */
  clock: Clock
}

/** Connects a workspace, which is no sandbox, to the simulator. */
export async function connectSocial(
  parley: TestParley,
  shop: TestWorkspace,
  clock: Clock = systemClock,
): Promise<SocialShop> {
  await shop.set({ socialAddon: true })
  const account = inventAccount(shop.workspaceId)
  const connect = () =>
    parley.system((tx) => connectAccount(tx, account, clock.now(), createSealer(SECRET_KEY)))
  const { accountId } = await connect()
  const reconnect = async () => void (await connect())
  return { ...shop, accountId, networkId: account.profile.networkId, account, reconnect, clock }
}

/** Creates a workspace with its own account at the simulator. */
export const openSocialShop = async (parley: TestParley, clock?: Clock): Promise<SocialShop> =>
  connectSocial(parley, await parley.workspace(), clock)

/** Performs an action at the simulated network, as the CLI does. */
export const atNetwork = <T>(
  parley: TestParley,
  shop: SocialShop,
  act: (store: SocialStore, account: SimulatedAccount) => Promise<T>,
): Promise<T> =>
  parley.system(async (tx) => {
    const store = createSocialSimulatorStore({
      query: tx.sql,
      sealer: createSealer(SECRET_KEY),
      clock: shop.clock,
    })
    return act(store, (await store.findAccount(shop.networkId))!)
  })

/** Makes the account's next calls to the network fail. */
export const armSocialFault = (
  parley: TestParley,
  shop: TestWorkspace,
  kind: FaultKind,
  times = 1,
): Promise<unknown> =>
  parley.system((tx) =>
    armFault(tx.sql, {
      workspaceId: shop.workspaceId,
      target: SOCIAL_TARGET,
      kind,
      times,
      now: systemClock.now(),
    }),
  )

export type ChatStarted = { messageId: string; mid: string; customerId: string; conversationId: string }

/** Sends a message of a customer; resolves once the message has arrived. */
export async function customerWrites(parley: TestParley, shop: SocialShop, dm: Dm): Promise<ChatStarted> {
  const { reportId, networkId, customerId } = await atNetwork(parley, shop, (store, account) =>
    writeDm(store, account, dm),
  )
  const chat = await until(async () => {
    const { body } = await shop.get('/social/conversations?limit=100')
    return body.conversations.find(
      (conversation: { contact: { e164: string } }) => conversation.contact.e164 === `sx:${customerId}`,
    )
  }, 'the chat exists')
  await until(async () => {
    const { body } = await shop.get(`/social/conversations/${chat.id}/messages?limit=100`)
    return body.messages.some((message: { id: string }) => message.id === reportId)
  }, 'the message')
  return { messageId: reportId as string, mid: networkId, customerId, conversationId: chat.id }
}

/** Adds a comment; returns our id once the comment has arrived, and the network's id. */
export async function customerComments(
  parley: TestParley,
  shop: SocialShop,
  remark: Remark,
): Promise<{ commentId: string; networkId: string }> {
  const { reportId, networkId } = await atNetwork(parley, shop, (store, account) =>
    comment(store, account, remark),
  )
  await until(async () => {
    const { body } = await shop.get('/social/comments?limit=100')
    return body.comments.some((comment: { id: string }) => comment.id === reportId)
  }, 'the comment')
  return { commentId: reportId as string, networkId }
}
