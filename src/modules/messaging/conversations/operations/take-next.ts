import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { listFormerMemberIds } from '../../../platform/workspaces/operations/workspace-members.ts'
import { lockLongestWaiting, lockLongestWaitingOfTeams, type Waiting } from '../queries/conversation-lists.ts'
import type { ConversationRow } from '../queries/conversations.ts'
import type { ChannelChoice } from '../schema.ts'
import { updateConversation } from './change-conversation.ts'
import { teamsOfMember } from './find-teams.ts'
import { channelOf, memberOf } from './read-conversations.ts'

/**
 * Assigns the unassigned chat with the longest wait to the caller: first of the caller's teams, then of no team.
 * Concurrent callers get different chats.
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
  const teamIds = await teamsOfMember(ctx, memberId)
  const found =
    (channel !== 'none' &&
      ((await lockFirst(ctx, { former, teamIds, skipsLocked: true, ...channel })) ??
        (await lockFirst(ctx, { former, teamIds, skipsLocked: false, ...channel })))) ||
    refuse('not_found', 'No unassigned chat is waiting for an answer.')
  return updateConversation(ctx, found.id, { assignedAgentId: memberId })
}

/** Locks the longest wait in the teams, or else among the chats without a team. */
const lockFirst = async (ctx: Context, waiting: Waiting & { teamIds: string[] }) =>
  (waiting.teamIds.length > 0 ? await lockLongestWaitingOfTeams(ctx, waiting) : undefined) ??
  lockLongestWaiting(ctx, waiting)
