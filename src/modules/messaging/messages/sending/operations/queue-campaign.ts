/** Queues the messages of a campaign in lists of recipients, in the lock order of sends. */
import { type Context, wake } from '../../../../../core/context.ts'
import { newId } from '../../../../../core/ids.ts'
import { claimMarketing } from '../../../contacts/operations/marketing-cap.ts'
import {
  type CampaignRecipients,
  type OpenRecipients,
  openCampaignConversations,
} from '../../../conversations/operations/campaign-conversations.ts'
import { type CampaignMessages, insertCampaignMessages } from '../queries/campaign-messages.ts'
import { readQuota, roomOf, settleQuota } from './message-quota.ts'
import { HANDOVER } from './send-messages.ts'

export type { CampaignMessages } from '../queries/campaign-messages.ts'
export { explainNoRoom, isNoRoom } from './message-quota.ts'

/**
 * Returns how many messages the month's allowance leaves, and locks it until the transaction ends; infinite
 * without an allowance.
 */
export async function lockMessageRoom(ctx: Context): Promise<number> {
  return roomOf(ctx.workspace, (await readQuota(ctx, [ctx], { lock: true })).get(ctx.workspace.id))
}

/** Returns how many messages the allowance of the month of `time` leaves now, without a lock. */
export async function readMessageRoom(ctx: Context, time = ctx.now): Promise<number> {
  const { workspace } = ctx
  const quota = await readQuota(ctx, [{ workspace, now: time }], { lock: false })
  return roomOf(workspace, quota.get(workspace.id))
}

/** The result of a list: recipients with a message, and recipients at their marketing limit. */
export type Queued = { queued: CampaignRecipients; capped: string[] }

/**
 * Queues a message for each contact and opens missing conversations. `marketing`: each counts towards the
 * contact's marketing limit. Requires room in the allowance (`lockMessageRoom`) and held-off erasures
 * (`holdOffErasures`).
 */
export async function queueCampaignMessages(
  ctx: Context,
  campaign: CampaignMessages,
  { contactIds, marketing }: { contactIds: string[]; marketing: boolean },
): Promise<Queued> {
  if (contactIds.length === 0) return { queued: { contactIds, messageIds: [] }, capped: [] }
  const open = await openAll(ctx, campaign, contactIds)
  const capped = marketing
    ? await claimMarketing(ctx, {
        workspaceId: campaign.workspaceId,
        contactIds: open.contactIds,
        at: campaign.at,
        max: ctx.workspace.marketingCap,
      })
    : []
  const queued = capped.length === 0 ? open : withoutContacts(open, new Set(capped))
  await Promise.all([
    insertCampaignMessages(ctx.tx, campaign, queued),
    takeRoom(ctx, queued.contactIds.length),
  ])
  ctx.onQueued?.(queued.messageIds)
  wake(ctx, HANDOVER)
  return { queued, capped }
}

/**
 * Returns each contact's conversation. Those that another transaction has just opened follow in a second
 * list.
 */
async function openAll(
  ctx: Context,
  campaign: CampaignMessages,
  contactIds: string[],
): Promise<OpenRecipients> {
  const opened = (ids: string[]) =>
    openCampaignConversations(ctx.tx, campaign, { contactIds: ids, messageIds: ids.map(() => newId()) })
  const open = await opened(contactIds)
  if (open.contactIds.length === contactIds.length) return open
  const openIds = new Set(open.contactIds)
  const rest = await opened(contactIds.filter((id) => !openIds.has(id)))
  return {
    contactIds: [...open.contactIds, ...rest.contactIds],
    messageIds: [...open.messageIds, ...rest.messageIds],
    conversationIds: [...open.conversationIds, ...rest.conversationIds],
  }
}

function withoutContacts(open: OpenRecipients, left: Set<string>): OpenRecipients {
  const places = open.contactIds.flatMap((id, i) => (left.has(id) ? [] : [i]))
  const pick = (list: string[]) => places.map((i) => list[i]!)
  return {
    contactIds: pick(open.contactIds),
    messageIds: pick(open.messageIds),
    conversationIds: pick(open.conversationIds),
  }
}

/** Takes messages from an allowance that the transaction has locked. */
async function takeRoom(ctx: Context, messages: number): Promise<void> {
  if (ctx.workspace.messageAllowance === null) return
  const quota = await readQuota(ctx, [ctx], { lock: true })
  const usage = quota.get(ctx.workspace.id)
  if (usage) usage.taken = messages
  await settleQuota(ctx, quota)
}
