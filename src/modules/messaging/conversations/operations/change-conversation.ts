import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { findContact } from '../../contacts/operations/find-contact.ts'
import { nameOf } from '../../contacts/schema.ts'
import { type ConversationRow, endWaiting, updateConversationRow } from '../queries/conversations.ts'
import type { ConversationPatch } from '../schema.ts'
import { planRating } from './plan-rating.ts'
import { getConversation, noConversation } from './read-conversations.ts'

/** Assigns, prioritizes, resolves, or archives a conversation (spec 4.4). */
export async function updateConversation(
  ctx: Context,
  id: string,
  patch: ConversationPatch,
): Promise<ConversationRow> {
  const conversation = await getConversation(ctx, id)
  if (patch.assignedAgentId) await checkAssignee(ctx, patch.assignedAgentId)
  if (Object.values(patch).every((value) => value === undefined)) return conversation
  const changed = await updateConversationRow(ctx, conversation.id, { ...patch, updatedAt: ctx.now })
  touch(ctx, { conversation: conversation.id })
  if (patch.state === 'resolved') await endWaiting(ctx, conversation.id)
  if (changed && patch.state === 'resolved' && conversation.state !== 'resolved')
    await planRating(ctx, conversation.id)
  if (changed && patch.assignedAgentId && patch.assignedAgentId !== conversation.assignedAgentId)
    await notifyAssignee(ctx, conversation, patch.assignedAgentId)
  return changed ? getConversation(ctx, conversation.id) : noConversation()
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

async function checkAssignee(ctx: Context, memberId: string): Promise<void> {
  const member = await findMember(ctx, memberId)
  if (!member || member.leftAt) refuseReference('assignedAgentId', 'Member not found. See GET /team.')
}
