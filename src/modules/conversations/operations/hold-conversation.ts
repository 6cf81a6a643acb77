import type { Context } from '../../../core/context.ts'
import { lockConversationForRead, lockConversationRow } from '../queries/conversations.ts'
import { noConversation } from './read-conversations.ts'

/** Keeps a conversation from being erased until the transaction ends. Refuses `not_found` when it is gone. */
export async function holdConversation(ctx: Context, id: string): Promise<void> {
  if (!(await lockConversationRow(ctx, id))) noConversation()
}

/** Keeps customers' messages out of a conversation until the transaction ends. Refuses `not_found` when it is gone. */
export async function keepCustomersOut(ctx: Context, id: string): Promise<void> {
  if (!(await lockConversationForRead(ctx, id))) noConversation()
}
