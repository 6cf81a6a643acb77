import type { Context } from '../../../../../core/context.ts'
import { newId } from '../../../../../core/ids.ts'
import { holdOffErasures } from '../../../../messaging/contacts/operations/erase-contact.ts'
import { recordOutbound } from '../../../../messaging/conversations/operations/outbound.ts'
import { hasSameText } from '../comparable-text.ts'
import { findConversationRowForUpdate, touchConversations } from '../queries/conversations.ts'
import {
  clearMid,
  deleteMessage,
  findMessage,
  findMessageForUpdate,
  listMessagesByMidForUpdate,
  setSent,
} from '../queries/messages.ts'
import { applyWaitingChanges } from './apply-changes.ts'
import { addToLeadTimelines } from './lead-timeline.ts'
import { touchChat } from './touch-chat.ts'

/**
 * Records that the network has our message under the id `mid`. A report may have arrived before the answer,
 * and may have given the id to another message with the same text: the answer is right.
 */
export async function recordSent(
  ctx: Context,
  messageId: string,
  { mid, at }: { mid: string; at: Date },
): Promise<void> {
  await holdOffErasures(ctx)
  const held = await holdChatOf(ctx, messageId)
  const message = held && (await findMessageForUpdate(ctx.tx, ctx.workspace.id, messageId))
  // The customer was erased meanwhile, or a report was faster.
  if (!message || message.mid === mid) return
  const [holder] = await listMessagesByMidForUpdate(ctx.tx, ctx.workspace.id, [mid])
  if (holder && hasSameText(holder, message)) await clearMid(ctx.tx, holder)
  // The network changed the text, so the report was stored as a message typed in its app.
  else if (holder) await deleteMessage(ctx.tx, ctx.workspace.id, holder.id)
  await setSent(ctx.tx, [{ ...message, mid, at }])
  touchChat(ctx, message.conversationId)
  await touchConversations(ctx.tx, [
    {
      workspaceId: ctx.workspace.id,
      id: message.conversationId,
      activityId: newId(),
      lastMessageAt: at,
      lastInboundAt: null,
    },
  ])
  const byPerson = ctx.actor.kind === 'member'
  await recordOutbound(ctx, [{ ctx, conversationId: message.conversationId, at, byPerson }])
  await applyWaitingChanges(ctx, [mid])
  await addToLeadTimelines(ctx, [message])
}

/** All operations lock chats before their messages. */
async function holdChatOf(ctx: Context, messageId: string): Promise<boolean> {
  const message = await findMessage(ctx.tx, ctx.workspace.id, messageId)
  return (
    message !== undefined && (await findConversationRowForUpdate(ctx, message.conversationId)) !== undefined
  )
}
