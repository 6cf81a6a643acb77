/** Sends one push, if it is still of use to the member. */
import { z } from 'zod'
import type { Context, OutsideContext, Role } from '../../../core/context.ts'
import { customerText, hidesDetails, shownTo } from '../../../core/customer-details.ts'
import { cutText } from '../../../core/values/cut-text.ts'
import { sha256 } from '../../../core/values/digest.ts'
import type { PushMessage } from '../../../web-push/port.ts'
import {
  countUnreadChats,
  deleteSubscription,
  findPushedMessage,
  findPushedNotice,
  findReceiver,
  type PushReceiver,
} from './queries.ts'
import { isQuiet } from './quiet-hours.ts'
import { PushSettings } from './schema.ts'

export type PushFact = { subscriptionId: string } & (
  | { conversationId: string; messageId: string }
  | { notificationId: string }
)

declare module '../../../core/context.ts' {
  interface Outside {
    /** Returns whether a session of the dashboard is still open. */
    isSessionOpen(id: string): Promise<boolean>
  }
}

const MAX_TEXT = 300
const MAX_UNREAD = 99
/** A push that a browser gets later than this is of no use. */
const TTL_SECONDS = 4 * 3_600

/** The data of a notification; the browser writes its sentences, in the member's language. */
export type PushPayload = {
  /** The same for every attempt: the idempotency key of an action. */
  id: string
  workspaceId: string
  kind: string
  subjectId: string
  parentId: string | null
  title: string | null
  actor: string | null
  text: string | null
  /** For a typed answer: the customer and the number of the chat; null for other notifications. */
  replyTo: { to: string; phoneNumberId: string } | null
  /** The number of unread chats. */
  unread: number
}

/** The part of a payload that may name a customer by their number. */
const Title = customerText(z.string().nullable())

const textFor = (settings: PushSettings, text: string | null): string | null =>
  settings.text && text ? cutText(text, MAX_TEXT) : null

async function payloadOf(
  ctx: Context,
  fact: PushFact,
  { memberId, role }: PushReceiver,
  settings: PushSettings,
): Promise<PushPayload | undefined> {
  const workspaceId = ctx.workspace.id
  const reader = { workspace: ctx.workspace, actor: { role: role as Role } }
  if ('notificationId' in fact) {
    const notice = await findPushedNotice(ctx, fact.notificationId, memberId)
    if (!notice) return undefined
    const { id, kind, subjectId, parentId, title, actorName, body } = notice
    const unread = await countUnreadChats(ctx, MAX_UNREAD)
    const text = textFor(settings, body)
    return {
      workspaceId,
      id,
      kind,
      subjectId,
      parentId,
      title: shownTo(reader, Title, title),
      actor: actorName,
      text,
      replyTo: null,
      unread,
    }
  }
  const message = await findPushedMessage(ctx, fact)
  if (!message) return undefined
  return {
    workspaceId,
    id: fact.messageId,
    kind: 'message',
    subjectId: message.id,
    parentId: null,
    title: shownTo(reader, Title, message.name ?? (message.phone.startsWith('chan:') ? null : message.phone)),
    actor: null,
    text: textFor(settings, message.text),
    replyTo: {
      to: hidesDetails(reader) ? `contact:${message.contactId}` : message.phone,
      phoneNumberId: message.phoneNumberId,
    },
    unread: await countUnreadChats(ctx, MAX_UNREAD),
  }
}

const KEPT = async (): Promise<void> => {}
const TOPIC_CHARACTERS = 32

/**
 * Sends a push. A repeated attempt does no harm: the push service and the browser replace the earlier one of
 * the same subject.
 */
export async function sendPushNow(
  { outside, transaction }: OutsideContext,
  fact: PushFact,
): Promise<(ctx: Context) => Promise<void>> {
  const prepared = await transaction(async (ctx) => {
    const receiver = await findReceiver(ctx, fact.subscriptionId)
    if (!receiver) return undefined
    const settings = PushSettings.parse(receiver.settings)
    if (isQuiet(settings.quiet, ctx.now)) return undefined
    const payload = await payloadOf(ctx, fact, receiver, settings)
    if (!payload) return undefined
    const target = JSON.parse(ctx.sealer.open(receiver.targetSealed)) as PushMessage['target']
    return { sessionId: receiver.sessionId, target, payload }
  })
  if (!prepared) return KEPT
  const remove = async (ctx: Context): Promise<void> => {
    await deleteSubscription(ctx, fact.subscriptionId)
  }
  if (!(await outside.isSessionOpen(prepared.sessionId))) return remove
  const { target, payload } = prepared
  const outcome = await outside.sendPush({
    target,
    payload: JSON.stringify(payload),
    topic: sha256(`${payload.kind} ${payload.subjectId}`).toString('base64url').slice(0, TOPIC_CHARACTERS),
    ttlSeconds: TTL_SECONDS,
  })
  return outcome === 'gone' ? remove : KEPT
}
