/** Queues the messages of a campaign: a list of its recipients at once, in the order of locks that sends keep. */
import { type Context, wake } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { claimMarketing } from '../../contacts/operations/marketing-cap.ts'
import {
  type CampaignMessages,
  holdCampaignConversations,
  insertCampaignConversations,
  insertCampaignMessages,
} from '../campaign-queries.ts'
import { readQuota, settleQuota } from './message-quota.ts'
import { HANDOVER } from './send-messages.ts'

export type { CampaignMessages } from '../campaign-queries.ts'

/** How many messages the month's allowance leaves, held until the transaction ends; infinite without one. */
export async function lockMessageRoom(ctx: Context): Promise<number> {
  const usage = (await readQuota(ctx, [ctx], true)).get(ctx.workspace.id)
  return usage ? Math.max(0, usage.allowance - usage.messages) : Number.POSITIVE_INFINITY
}

/** The same as of now, for whoever only wants to know. */
export async function readMessageRoom(ctx: Context): Promise<number> {
  const usage = (await readQuota(ctx, [ctx], false)).get(ctx.workspace.id)
  return usage ? Math.max(0, usage.allowance - usage.messages) : Number.POSITIVE_INFINITY
}

/** What came of a list: the message of each contact that has one, and who has had their measure of marketing. */
export type Queued = { messages: Map<string, string>; capped: Set<string> }

/**
 * Queues one message for each contact and opens the conversations that they lack. `marketing`: each counts towards what
 * one person is sent. Whoever was erased meanwhile is in neither list. Needs room in the allowance (`lockMessageRoom`).
 */
export async function queueCampaignMessages(
  ctx: Context,
  campaign: CampaignMessages,
  { contactIds, marketing }: { contactIds: string[]; marketing: boolean },
): Promise<Queued> {
  if (contactIds.length === 0) return { messages: new Map(), capped: new Set() }
  const { tx } = ctx
  const recipients = contactIds.map((contactId) => ({
    contactId,
    messageId: newId(),
    conversationId: newId(),
  }))
  const [, held] = await Promise.all([
    insertCampaignConversations(tx, campaign, recipients),
    holdCampaignConversations(tx, campaign, recipients),
  ])
  const people = held.map((one) => one.contactId)
  const claimed = marketing
    ? await claimMarketing(ctx, {
        workspaceId: campaign.workspaceId,
        contactIds: people,
        at: campaign.at,
        most: ctx.workspace.marketingCap,
      })
    : new Set(people)
  const allowed = held.filter((one) => claimed.has(one.contactId))
  await Promise.all([insertCampaignMessages(tx, campaign, allowed), takeRoom(ctx, allowed.length)])
  wake(ctx, HANDOVER)
  return {
    messages: new Map(allowed.map((one) => [one.contactId, one.messageId])),
    capped: new Set(people.filter((id) => !claimed.has(id))),
  }
}

/** Takes messages out of an allowance that the transaction holds. */
async function takeRoom(ctx: Context, messages: number): Promise<void> {
  if (ctx.workspace.messageAllowance === null) return
  const quota = await readQuota(ctx, [ctx], true)
  const usage = quota.get(ctx.workspace.id)
  if (usage) usage.taken = messages
  await settleQuota(ctx, quota)
}
