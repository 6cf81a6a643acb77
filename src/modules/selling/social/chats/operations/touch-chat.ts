import type { Context } from '../../../../../core/context.ts'
import { touch } from '../../../../../core/event.ts'

/** Announces a change of a direct chat to open pages: it is one row of the inbox, with the same id. */
export const touchChat = (ctx: Context, id: string): void =>
  touch(ctx, { conversation: id, socialConversation: id })
