import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { NewConversation, Parties } from '../queries/conversations.ts'

/** A contact and our number in its chat, in their workspace. */
export type Pair = { ctx: Context; contactId: string; phoneNumberId: string }

/** Returns a map key for the parties of a conversation. */
export const partiesKey = ({ contactId, phoneNumberId }: Omit<Parties, 'workspaceId'>): string =>
  `${contactId} ${phoneNumberId}`

/** Returns the rows to insert, one per distinct pair. */
export function newConversations(pairs: Pair[]): NewConversation[] {
  const rows = new Map<string, NewConversation>()
  for (const { ctx, contactId, phoneNumberId } of pairs) {
    const key = partiesKey({ contactId, phoneNumberId })
    if (rows.has(key)) continue
    rows.set(key, {
      workspaceId: ctx.workspace.id,
      contactId,
      phoneNumberId,
      id: newId(),
      createdAt: ctx.now,
    })
  }
  return [...rows.values()]
}
