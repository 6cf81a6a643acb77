import { createHash, randomUUID } from 'node:crypto'
import { systemClock } from '../../src/core/clock.ts'
import type { Tx } from '../../src/core/context.ts'
import { newId } from '../../src/core/ids.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { createSocialSimulatorStore } from '../../src/modules/automating/sandbox/social-simulator-store.ts'
import { inventAccount } from '../../src/modules/selling/social/operations/accounts.ts'
import { upsertAccount } from '../../src/modules/selling/social/queries/accounts.ts'
import { asciiJson, signWebhook } from '../../src/operator/webhook-signature.ts'
import { type NetworkEvent, webhookBody } from '../../src/social-network/simulator/store.ts'
import { SECRET_KEY, type TestWorkspace } from './boot.ts'

const APP_SECRET = 'what the reports of the contract suites are signed with'

/** Network ids that belong to one workspace: they begin with `prefix`. */
const idAtNetwork = (workspaceId: string, prefix: string): string =>
  `${prefix}${String(BigInt(`0x${workspaceId.replaceAll('-', '').slice(-12)}`)).padStart(15, '0')}`

/** The workspace's account, a customer who messaged it, and a comment on one of its posts. */
const atNetwork = (workspaceId: string) => ({
  accountId: idAtNetwork(workspaceId, '17841'),
  customerId: idAtNetwork(workspaceId, '12544'),
  commentId: idAtNetwork(workspaceId, '17900'),
  mediaId: idAtNetwork(workspaceId, '17911'),
})

/**
 * Gives any workspace the add-on and an account at the simulated photo network. This includes sandboxes,
 * where members can't connect an account (spec 4.9), because the contract suites call all endpoints in
 * sandboxes.
 */
export async function equipSocial(tx: Tx, workspaceId: string): Promise<void> {
  await tx.sql('update workspaces set social_addon = true where id = $1', [workspaceId])
  const { network, profile } = inventAccount(workspaceId)
  const { accountId: networkId, customerId, commentId, mediaId } = atNetwork(workspaceId)
  const sealer = createSealer(SECRET_KEY)
  const now = systemClock.now()
  await upsertAccount(tx, {
    workspaceId,
    id: newId(),
    network,
    ...profile,
    networkId,
    state: 'connected',
    tokenSealed: sealer.seal(`${networkId}.${randomUUID()}`),
    appSecretSealed: sealer.seal(APP_SECRET),
    verifyTokenHash: createHash('sha256').update('handshake').digest(),
    refreshDueAt: null,
    connectedAt: now,
    createdAt: now,
  })
  const store = createSocialSimulatorStore({ query: tx.sql, sealer })
  const account = (await store.findAccount(networkId))!
  const storeItem = (kind: string, id: string, value: Record<string, unknown>) =>
    store.keep(account, { kind, id, value, expiresAt: null })
  await storeItem('customer', customerId, { name: 'Asha R', username: 'asha_r', wroteAtMs: now.getTime() })
  const value = {
    text: 'Price?',
    from: { id: customerId, username: 'asha_r' },
    timestamp: now.toISOString(),
    media_id: mediaId,
    parent_id: null,
  }
  for (const id of [commentId, ...moreComments(workspaceId)]) await storeItem('comment', id, value)
}

/** More comments of the customer, for requests that the network takes once for each comment. */
const moreComments = (workspaceId: string): string[] =>
  Array.from({ length: 40 }, (_, i) => idAtNetwork(workspaceId, `17${920 + i}`))
const usedComments = new Map<string, number>()

/**
 * Reports an event about an equipped sandbox as the network does; resolves once the service has applied it.
 */
async function report(shop: TestWorkspace, event: NetworkEvent): Promise<void> {
  const { accountId } = atNetwork(shop.workspaceId)
  const text = asciiJson(webhookBody({ networkId: accountId }, event, systemClock.now()))
  const headers = { 'x-hub-signature-256': signWebhook(text, APP_SECRET) }
  const answer = await shop.call('POST', `/api/social/${shop.workspaceId}`, text, { headers })
  if (answer.status !== 200) throw new Error(`the callback answered ${answer.status}: ${answer.text}`)
  await shop.advance(1)
}

/** Sends a message of an equipped sandbox's customer; returns our id of the chat. */
export async function socialChatId(shop: TestWorkspace): Promise<string> {
  const { accountId, customerId } = atNetwork(shop.workspaceId)
  await report(shop, {
    messaging: {
      sender: { id: customerId },
      recipient: { id: accountId },
      timestamp: systemClock.now().getTime(),
      message: { mid: randomUUID(), text: 'Is this in stock?' },
    },
  })
  return (await shop.get('/social/conversations?limit=1')).body.conversations[0].id
}

/** Adds another comment each time; returns our id of the comment. */
export function newSocialCommentId(shop: TestWorkspace): Promise<string> {
  const used = usedComments.get(shop.workspaceId) ?? 0
  usedComments.set(shop.workspaceId, used + 1)
  return socialCommentId(shop, moreComments(shop.workspaceId)[used])
}

/** Adds a comment of an equipped sandbox's customer; returns our id of the comment. */
export async function socialCommentId(
  shop: TestWorkspace,
  commentId = atNetwork(shop.workspaceId).commentId,
): Promise<string> {
  const { customerId, mediaId } = atNetwork(shop.workspaceId)
  const from = { id: customerId, username: 'asha_r' }
  const value = { id: commentId, from, text: 'Price?', media: { id: mediaId, media_product_type: 'FEED' } }
  await report(shop, { field: 'comments', value })
  return (await shop.get('/social/comments?limit=1')).body.comments[0].id
}
