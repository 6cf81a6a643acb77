import type { Context } from '../../../../core/context.ts'
import { lockConversationForRead, lockConversationRow } from '../queries/conversations.ts'
import { noConversation } from './read-conversations.ts'

/**
 * Prevents the erasure of a conversation until the transaction ends. Refuses `not_found` if it doesn't exist.
 */
export async function holdConversation(ctx: Context, id: string): Promise<void> {
  if (!(await lockConversationRow(ctx, id))) noConversation()
}

/**
 * Blocks customers' messages to a conversation until the transaction ends. Refuses `not_found` if it doesn't
 * exist.
 */
export async function lockOutCustomers(ctx: Context, id: string): Promise<void> {
  if (!(await lockConversationForRead(ctx, id))) noConversation()
}
