/**
 * `POST /social/send` (spec 4.6): records the message, sends it once, and records the result. An unknown
 * result stays `unconfirmed` until a report of the network settles it; Parley never sends it again.
 */
import { later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import type { AnsweringContext } from '../../../../../core/endpoint.ts'
import { Refusal, refuse } from '../../../../../core/errors.ts'
import { newId } from '../../../../../core/ids.ts'
import { columnsOfSource, sourceOf } from '../../../../../core/source.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import { networkRefusal } from '../../../../../social-network/refusals.ts'
import { getContact } from '../../../../messaging/contacts/operations/find-contact.ts'
import { refusalOf } from '../../../../messaging/contacts/operations/refusal-rule.ts'
import { requireAccount } from '../../operations/accounts.ts'
import { earlierAttempt } from '../../operations/earlier-attempt.ts'
import { settleSend } from '../jobs.ts'
import {
  clearRequestKey,
  deleteMessage,
  findIntentForUpdate,
  insertMessages,
  type MessageRow,
  setUnconfirmed,
} from '../queries/messages.ts'
import { isWindowOpen, type SocialSendBody } from '../schema.ts'
import { getConversationForUpdate } from './read-chats.ts'
import { recordSent } from './record-sent.ts'
import { touchChat } from './touch-chat.ts'

/** Without an answer by then, the result of the message counts as unknown. */
const UNANSWERED_MS = 2 * MINUTE_MS

export type SentMessage = { messageId: string; mid: string | null }

type SendAttempt =
  | { kind: 'recorded'; messageId: string; accountId: string; customerId: string }
  | { kind: 'earlier'; message: MessageRow; isKnown: boolean }

export async function sendMessage(
  ctx: AnsweringContext<SentMessage>,
  body: SocialSendBody,
): Promise<SentMessage> {
  const attempt = await ctx.transaction((txCtx) => begin(txCtx, body, ctx.requestKey))
  if (attempt.kind === 'earlier') {
    if (!attempt.isKnown) throw unconfirmed()
    return { messageId: attempt.message.id, mid: attempt.message.mid }
  }
  const { messageId, accountId, customerId } = attempt
  const account = await ctx.outside.socialAccount(ctx.workspace.id)
  if (account?.id !== accountId)
    return forget(
      ctx,
      messageId,
      disconnected('The account was just disconnected. Nothing was sent. Connect it again.'),
    )
  const answer = await ctx.outside.socialNetwork.sendText(account, { customerId, text: body.text })
  if (answer.kind === 'done') {
    const { mid } = answer.value
    return ctx.lastTransaction(async (txCtx) => {
      await recordSent(txCtx, messageId, { mid, at: txCtx.now })
      return { messageId, mid }
    })
  }
  if (answer.kind === 'unknown')
    return ctx.lastTransaction(async (txCtx) => {
      await setUnconfirmed(txCtx.tx, ctx.workspace.id, messageId)
      touchChat(txCtx, body.conversationId)
      return unconfirmed()
    })
  return forget(ctx, messageId, networkRefusal(answer))
}

/** Returns the columns for the author of a message that is sent in `ctx`. */
export const authorOf = (ctx: Context) => ({
  sentBy: ctx.via === 'dashboard' && ctx.actor.kind === 'member' ? ctx.actor.memberId : null,
  ...columnsOfSource(sourceOf(ctx)),
})

/** Nothing was sent, so nothing is kept. */
const forget = (
  ctx: AnsweringContext<SentMessage>,
  messageId: string,
  refusal: Refusal,
): Promise<SentMessage> =>
  ctx.lastTransaction(async (txCtx) => {
    await deleteMessage(txCtx.tx, ctx.workspace.id, messageId)
    return refusal
  })

const disconnected = (why: string): Refusal => new Refusal('not_connected', why)

const unconfirmed = (): Refusal =>
  new Refusal(
    'send_unconfirmed',
    "The network didn't answer, so the message may have been sent. Check the chat before you send it again.",
  )

/** Checks all rules, and records the message before the send. */
async function begin(ctx: Context, body: SocialSendBody, requestKey: string | null): Promise<SendAttempt> {
  const earlierAttempt = requestKey === null ? undefined : await findEarlier(ctx, requestKey)
  if (earlierAttempt) return earlierAttempt
  const account = await requireAccount(ctx)
  const conversation = await getConversationForUpdate(ctx, body.conversationId)
  if (conversation.accountId !== account.id)
    refuse('not_connected', 'The account of this chat is no longer connected. Connect it again.')
  const contact = await getContact(ctx, conversation.contactId)
  if (refusalOf(contact)) refuse('contact_opted_out', 'The customer opted out of messages. Nothing was sent.')
  if (!isWindowOpen(conversation, ctx.now))
    refuse('outside_24h_window', 'The 24-hour window is closed. Wait until the customer writes again.')
  const messageId = newId()
  await insertMessages(ctx.tx, [
    {
      workspaceId: ctx.workspace.id,
      id: messageId,
      conversationId: conversation.id,
      direction: 'outbound',
      mid: null,
      part: 0,
      type: 'text',
      content: { text: body.text },
      status: 'sending',
      replyTo: null,
      requestKey,
      createdAt: ctx.now,
      sentAt: null,
      ...authorOf(ctx),
    },
  ])
  await enqueue(ctx, settleSend, { messageId }, later(ctx.now, UNANSWERED_MS))
  return { kind: 'recorded', messageId, accountId: account.id, customerId: contact.phone.slice('sx:'.length) }
}

async function findEarlier(ctx: Context, requestKey: string): Promise<SendAttempt | undefined> {
  const message = await findIntentForUpdate(ctx.tx, ctx.workspace.id, requestKey)
  const found = earlierAttempt(message, ctx.now)
  if (!message || found === 'none') return undefined
  if (found === 'forgotten') {
    await clearRequestKey(ctx.tx, message)
    return undefined
  }
  if (found === 'unknown') await setUnconfirmed(ctx.tx, ctx.workspace.id, message.id)
  return { kind: 'earlier', message, isKnown: found === 'done' }
}
