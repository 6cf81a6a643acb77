import type { Context, Unit } from '../../../core/context.ts'
import {
  findKeptConversationId,
  listConversationIdsOf,
  listConversationsOfContacts,
} from '../queries/conversations.ts'

/** The conversation that each contact last began, by contact id; contacts without one are left out. */
export async function findConversationsOfContacts(
  unit: Unit,
  keys: { workspaceId: string; contactId: string }[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await listConversationsOfContacts(unit.tx, keys)
  return new Map(rows.map((row) => [row.contactId, row.id]))
}

/** Every conversation of one contact. */
export const conversationsOfContact = async (ctx: Context, contactId: string): Promise<string[]> =>
  (await listConversationIdsOf(ctx, contactId)).map((row) => row.id)

/** The conversation that this one became part of, if it did. */
export const keptConversationId = (ctx: Context, id: string): Promise<string | undefined> =>
  findKeptConversationId(ctx, id)
