/** Push notifications to members' browsers (DECISIONS.md). */
import type { Context, MemberActor, Unit, Workspace } from '../../../core/context.ts'
import { invalid, refuse } from '../../../core/errors.ts'
import { isUuid, newId } from '../../../core/ids.ts'
import { cutText } from '../../../core/values/cut-text.ts'
import { sha256 } from '../../../core/values/digest.ts'
import { enqueueAll } from '../../../database/sql/enqueue-jobs.ts'
import { areUsableKeys } from '../../../web-push/encrypt.ts'
import { sendPush } from './jobs.ts'
import {
  deleteOldSubscriptions,
  deleteSubscription,
  findMessageReceivers,
  listSubscriptions,
  listSubscriptionsOfMembers,
  type SubscriptionRow,
  upsertSubscription,
} from './queries.ts'
import type { NewSubscription } from './schema.ts'

const MAX_BROWSERS = 20
const MAX_DEVICE = 300

const callerOf = ({ actor }: Context): MemberActor => actor as MemberActor

const present = ({ sessionId, createdAt, ...row }: SubscriptionRow, own: string) => ({
  ...row,
  current: sessionId === own,
  createdAt: createdAt.toISOString(),
})

/** Returns the browsers of the caller. */
export async function listBrowsers(ctx: Context) {
  const { memberId, sessionId } = callerOf(ctx)
  const rows = await listSubscriptions(ctx, memberId, MAX_BROWSERS)
  return rows.map(({ id, device, createdAt, sessionId: of }) =>
    present({ id, device, createdAt, sessionId: of }, sessionId),
  )
}

/** Subscribes the caller's browser until its session ends. A known browser stays one entry. */
export async function subscribe(ctx: Context, target: NewSubscription) {
  if (!areUsableKeys(target))
    throw invalid([{ path: 'p256dh', message: 'Must be the keys of a push subscription.' }])
  const { memberId, sessionId, device } = callerOf(ctx)
  const row = await upsertSubscription(ctx, {
    id: newId(),
    memberId,
    sessionId,
    endpointHash: sha256(target.endpoint),
    targetSealed: ctx.sealer.seal(JSON.stringify(target)),
    device: cutText(device, MAX_DEVICE),
  })
  await deleteOldSubscriptions(ctx, memberId, MAX_BROWSERS)
  return present(row, sessionId)
}

/** Ends the push notifications of one of the caller's browsers. */
export async function unsubscribe(ctx: Context, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteSubscription(ctx, id, callerOf(ctx).memberId)))
    refuse('not_found', `Push subscription ${id} not found.`)
}

type ArrivedMessage = {
  ctx: Unit & { workspace: Workspace; now: Date }
  conversationId: string
  messageId: string
}

/**
 * Has customers' messages pushed to those who answer them. A browser gets one push for each of its member's
 * chats, and one for all chats without an assignee that arrive together.
 */
export async function pushMessages(unit: Unit, messages: readonly ArrivedMessage[]): Promise<void> {
  const pushed = messages.filter(({ ctx }) => ctx.workspace.sendsPush)
  if (pushed.length === 0) return
  const contexts = new Map(pushed.map(({ ctx }) => [ctx.workspace.id, ctx]))
  const receivers = await findMessageReceivers(
    unit,
    pushed.map(({ ctx, conversationId, messageId }) => ({
      workspaceId: ctx.workspace.id,
      conversationId,
      messageId,
    })),
  )
  const last = new Map(
    receivers.map((receiver) => [
      `${receiver.subscriptionId} ${receiver.isOwn ? receiver.conversationId : ''}`,
      receiver,
    ]),
  )
  await enqueueAll(
    sendPush,
    [...last.values()].map(({ workspaceId, subscriptionId, conversationId, messageId }) => ({
      ctx: contexts.get(workspaceId)!,
      payload: { subscriptionId, conversationId, messageId },
    })),
  )
}

/** Has notifications pushed to the browsers of their members. */
export async function pushNotices(
  ctx: Context,
  notices: readonly { id: string; memberId: string }[],
): Promise<void> {
  if (!ctx.workspace.sendsPush || notices.length === 0) return
  const subscriptions = await listSubscriptionsOfMembers(
    ctx,
    notices.map(({ memberId }) => memberId),
  )
  await enqueueAll(
    sendPush,
    subscriptions.flatMap(({ id: subscriptionId, memberId }) =>
      notices
        .filter((notice) => notice.memberId === memberId)
        .map(({ id }) => ({ ctx, payload: { subscriptionId, notificationId: id } })),
    ),
  )
}
