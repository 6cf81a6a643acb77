import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { listFormerMemberIds } from '../../../platform/workspaces/operations/workspace-members.ts'
import { lockLongestWaiting } from '../queries/conversation-lists.ts'
import type { ConversationRow } from '../queries/conversations.ts'
import type { ChannelChoice } from '../schema.ts'
import { updateConversation } from './change-conversation.ts'
import { channelOf, memberOf } from './read-conversations.ts'

/**
 * Assigns the unassigned chat with the longest wait to the caller. Concurrent callers get different chats.
 * Refuses `not_found` if no unassigned chat waits, and `conflict` for a key that belongs to no member.
 */
export async function takeNextConversation(ctx: Context, choice: ChannelChoice): Promise<ConversationRow> {
  const memberId =
    memberOf(ctx) ??
    refuse('conflict', "This key doesn't belong to a member, so no chat can be assigned to you.")
  const former = await listFormerMemberIds(ctx.tx, ctx.workspace.id)
  // A chat that another transaction has locked is skipped. It may only be receiving a message, so it is waited
  // for if it is the last.
  const channel = channelOf(ctx, choice)
  const found =
    (channel !== 'none' &&
      ((await lockLongestWaiting(ctx, { former, skipsLocked: true, ...channel })) ??
        (await lockLongestWaiting(ctx, { former, skipsLocked: false, ...channel })))) ||
    refuse('not_found', 'No unassigned chat is waiting for an answer.')
  return updateConversation(ctx, found.id, { assignedAgentId: memberId })
}
