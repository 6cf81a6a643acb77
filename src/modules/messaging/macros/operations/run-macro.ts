/** Runs a macro on one chat, in one transaction: all of its actions, or none (DECISIONS.md). */
import { z } from 'zod'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { customerPhone, shownTo } from '../../../../core/customer-details.ts'
import { Refusal, refuse, refuseReference } from '../../../../core/errors.ts'
import { requireScope } from '../../../../core/scopes.ts'
import { tagContactsInBulk } from '../../contacts/operations/bulk-tags.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { findContact } from '../../contacts/operations/find-contact.ts'
import { nameOf } from '../../contacts/schema.ts'
import { updateConversation } from '../../conversations/operations/change-conversation.ts'
import { lockOutCustomers } from '../../conversations/operations/hold-conversation.ts'
import { addNote } from '../../conversations/operations/notes.ts'
import {
  getInboxConversation,
  memberOf,
  noConversation,
} from '../../conversations/operations/read-conversations.ts'
import { snoozeConversation } from '../../conversations/operations/snooze.ts'
import type { ConversationPatch } from '../../conversations/schema.ts'
import { holdAllowances } from '../../messages/sending/operations/hold-allowances.ts'
import { sendMessages } from '../../messages/sending/operations/send-messages.ts'
import { findQuickReply } from '../../quick-replies/operations.ts'
import { findMacroRow } from '../queries.ts'
import type { MacroActions } from '../schema.ts'
import { findMissingParts } from './missing-parts.ts'

type ConversationRow = Awaited<ReturnType<typeof getInboxConversation>>

/** Refuses a key that is narrowed to scopes without those that the actions need. */
function requireScopes(ctx: Context, { quickReplyId, addTags, removeTags }: MacroActions): void {
  if (quickReplyId !== undefined) requireScope(ctx, 'messages:send', 'Sending the saved reply')
  if (addTags || removeTags) requireScope(ctx, 'contacts:write', 'Changing tags')
}

/** Returns the member to assign the chat to; undefined leaves the assignment. */
function assigneeOf(ctx: Context, { assignee }: MacroActions): string | null | undefined {
  if (assignee !== 'me') return assignee
  return (
    memberOf(ctx) ??
    refuse('conflict', "This macro assigns the chat to you, but this key doesn't belong to a member.")
  )
}

const CustomerNumber = customerPhone(z.string())

async function sendReply(ctx: Context, conversation: ConversationRow, quickReplyId: string): Promise<string> {
  const contact = (await findContact(ctx, conversation.contactId)) ?? noConversation()
  const reply = await findQuickReply(ctx, quickReplyId)
  const text = (reply?.text ?? '')
    .replaceAll('{{name}}', nameOf(contact) ?? '')
    // The caller reads the message too.
    .replaceAll('{{phone}}', shownTo(ctx, CustomerNumber, contact.phone))
  const [sent] = await sendMessages([
    { ctx, body: { to: contact.phone, type: 'text', text, phoneNumberId: conversation.phoneNumberId } },
  ])
  if (sent === undefined || sent instanceof Refusal) throw sent ?? noConversation()
  return sent
}

/** Runs the actions of a macro on a chat. Returns the chat, and the id of the sent message. */
export async function runMacro(
  ctx: Context,
  ref: string,
  macroId: string,
): Promise<{ row: ConversationRow; messageId: string | null }> {
  // Allowances are locked before contacts, and these before chats, as in every operation.
  await holdAllowances(ctx, [ctx])
  await holdOffErasures(ctx)
  const conversation = await getInboxConversation(ctx, ref)
  const macro =
    (await findMacroRow(ctx, macroId.toLowerCase())) ??
    refuseReference('macroId', 'Macro not found. See GET /macros.')
  const { actions } = macro
  requireScopes(ctx, actions)
  const missing = await findMissingParts(ctx, actions)
  if (missing.length > 0)
    refuse(
      'conflict',
      `The macro ${macro.name} can't run. ${missing.map(({ message }) => message).join(' ')} Edit the macro.`,
      { issues: missing },
    )
  if (conversation.channel === 'social' && actions.quickReplyId !== undefined)
    refuse(
      'conflict',
      `The macro ${macro.name} sends a saved reply, which chats of the photo network don't take. Choose the reply in the composer.`,
    )
  const { addTags, removeTags, quickReplyId, teamId, priority, resolve, snooze, note } = actions
  const assignedAgentId = assigneeOf(ctx, actions)
  if (addTags || removeTags) {
    const [tagged] = await tagContactsInBulk(ctx, {
      contactIds: [conversation.contactId],
      addTags,
      removeTags,
    })
    if (tagged instanceof Refusal) throw tagged
  }
  const { id } = conversation
  await lockOutCustomers(ctx, id)
  const messageId = quickReplyId === undefined ? null : await sendReply(ctx, conversation, quickReplyId)
  const patch: ConversationPatch = {
    ...(teamId !== undefined && { teamId: teamId?.toLowerCase() ?? null }),
    ...(assignedAgentId !== undefined && { assignedAgentId }),
    ...(priority !== undefined && { priority }),
    ...(resolve && { state: 'resolved' as const }),
  }
  if (Object.keys(patch).length > 0) await updateConversation(ctx, id, patch)
  if (snooze)
    await snoozeConversation(ctx, id, {
      until: snooze.minutes === undefined ? undefined : later(ctx.now, snooze.minutes * MINUTE_MS),
      untilReply: snooze.untilReply ?? false,
    })
  if (note !== undefined) await addNote(ctx, id, { body: note })
  return { row: await getInboxConversation(ctx, id), messageId }
}
