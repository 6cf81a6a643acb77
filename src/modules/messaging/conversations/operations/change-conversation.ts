import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { findContact } from '../../contacts/operations/find-contact.ts'
import { nameOf } from '../../contacts/schema.ts'
import {
  type Changeable,
  type ConversationRow,
  endWaiting,
  lockChangeable,
  updateConversationRow,
} from '../queries/conversations.ts'
import { AWAKE, type ConversationPatch } from '../schema.ts'
import { changesOf, recordChanges } from './changes.ts'
import { findTeam, isInTeam } from './find-teams.ts'
import { planRating } from './plan-rating.ts'
import { getInboxConversation, noConversation } from './read-conversations.ts'
import { shareIfNeeded } from './share-if-needed.ts'

/** The fields with which a chat enters the queue of a team, or leaves a member's place free. */
const SHARING = ['state', 'isArchived', 'assignedAgentId', 'teamId'] as const

/** Assigns, prioritizes, resolves, or archives a conversation (spec 4.4). */
export async function updateConversation(
  ctx: Context,
  id: string,
  request: ConversationPatch,
): Promise<ConversationRow> {
  const conversation = await getInboxConversation(ctx, id)
  const names = {
    assignee: request.assignedAgentId ? await getAssignee(ctx, request.assignedAgentId) : null,
    team: request.teamId ? await getTeamName(ctx, request.teamId) : null,
  }
  if (Object.values(request).every((value) => value === undefined)) return conversation
  const before = (await lockChangeable(ctx, conversation.id)) ?? noConversation()
  const patch = await withMemberOfTeam(ctx, before, request)
  const endsSnooze = before.snoozedAt !== null && (patch.state === 'resolved' || patch.isArchived === true)
  const changed = await updateConversationRow(ctx, conversation.id, {
    ...patch,
    ...(endsSnooze && AWAKE),
    updatedAt: ctx.now,
  })
  touch(ctx, { conversation: conversation.id })
  if (patch.state === 'resolved') await endWaiting(ctx, conversation.id)
  // The question for a rating goes out by a number.
  if (changed && patch.state === 'resolved' && before.state !== 'resolved' && conversation.channel === 'chat')
    await planRating(ctx, conversation.id)
  if (changed && patch.assignedAgentId && patch.assignedAgentId !== before.assignedAgentId)
    await notifyAssignee(ctx, conversation, patch.assignedAgentId)
  if (changed) await recordChanges(ctx, conversation.id, changesOf(before, patch, names))
  if (changed && SHARING.some((field) => patch[field] !== undefined && patch[field] !== before[field]))
    await shareIfNeeded(ctx)
  return changed ? getInboxConversation(ctx, conversation.id) : noConversation()
}

async function notifyAssignee(
  ctx: Context,
  { id, contactId }: ConversationRow,
  memberId: string,
): Promise<void> {
  const contact = await findContact(ctx, contactId)
  if (!contact) return
  const title = nameOf(contact) ?? contact.phone
  await notifyMembers(ctx, [{ kind: 'conversation_assigned', memberId, title, subjectId: id, contactId }])
}

/** Returns the patch of a chat that another team gets: the team's queue, unless its member belongs to the team. */
async function withMemberOfTeam(
  ctx: Context,
  before: Changeable,
  patch: ConversationPatch,
): Promise<ConversationPatch> {
  const { teamId, assignedAgentId } = patch
  if (!teamId || teamId === before.teamId || assignedAgentId !== undefined || before.assignedAgentId === null)
    return patch
  const stays = await isInTeam(ctx, teamId, before.assignedAgentId)
  return stays ? patch : { ...patch, assignedAgentId: null }
}

/** Returns the name of a team. */
const getTeamName = async (ctx: Context, id: string): Promise<string> =>
  (await findTeam(ctx, id))?.name ?? refuseReference('teamId', 'Team not found. See GET /teams.')

/** Returns the name of a current member. */
async function getAssignee(ctx: Context, memberId: string): Promise<string> {
  const member = await findMember(ctx, memberId)
  if (!member || member.leftAt) return refuseReference('assignedAgentId', 'Member not found. See GET /team.')
  return member.name
}
