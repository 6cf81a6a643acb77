import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { holdOffErasures } from '../../../../messaging/contacts/operations/erase-contact.ts'
import { getLead } from '../../../crm/operations/find-lead.ts'
import { addTimelineEntries } from '../../../crm/operations/timeline-entries.ts'
import { type ConversationRow, updateLead } from '../queries/conversations.ts'
import { getConversationForUpdate } from './read-chats.ts'
import { touchChat } from './touch-chat.ts'

/** A lead's timeline belongs to the sales team, so a narrowed key needs their scope too. */
function requireCrm({ actor }: Context): void {
  if (actor.kind === 'key' && actor.scopes && !actor.scopes.includes('crm:write'))
    refuse(
      'insufficient_scope',
      'Linking a chat to a lead also requires the scope crm:write. Use a key that has it.',
      {
        required: 'crm:write',
      },
    )
}

/**
 * Links the customer of a chat to a lead, or unlinks it with `leadId` null: later messages appear on that
 * lead's timeline (DECISIONS.md).
 */
export async function linkLead(ctx: Context, id: string, leadId: string | null): Promise<ConversationRow> {
  requireCrm(ctx)
  await holdOffErasures(ctx)
  const row = await getConversationForUpdate(ctx, id)
  const lead = leadId === null ? null : await getLead(ctx, leadId)
  const after = { ...row, leadId: lead?.id ?? null }
  if (after.leadId === row.leadId) return row
  await updateLead(ctx, row.id, after.leadId)
  touchChat(ctx, row.id)
  const entry = (leadId: string | null, kind: string) =>
    leadId === null ? [] : [{ leadId, kind, customerId: null, data: { conversationId: row.id } }]
  await addTimelineEntries(ctx, [
    ...entry(row.leadId, 'social_unlinked'),
    ...entry(after.leadId, 'social_linked'),
  ])
  return after
}
