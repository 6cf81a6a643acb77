import type { Context, Unit } from '../../../../core/context.ts'
import {
  findKeptConversationId,
  listConversationIdsOf,
  listConversationsOfContacts,
} from '../queries/conversations.ts'

/**
 * Returns the newest conversation of each contact, by contact id. Contacts without a conversation are left
 * out.
 */
export async function findConversationsOfContacts(
  unit: Unit,
  keys: { workspaceId: string; contactId: string }[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await listConversationsOfContacts(unit.tx, keys)
  return new Map(rows.map((row) => [row.contactId, row.id]))
}

/** Returns every conversation of a contact. */
export const conversationsOfContact = async (ctx: Context, contactId: string): Promise<string[]> =>
  (await listConversationIdsOf(ctx, contactId)).map((row) => row.id)

/** Returns the conversation that this one was merged into, if any. */
export const keptConversationId = (ctx: Context, id: string): Promise<string | undefined> =>
  findKeptConversationId(ctx, id)
