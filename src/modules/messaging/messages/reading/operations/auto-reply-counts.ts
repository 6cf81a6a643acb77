import type { Context } from '../../../../../core/context.ts'
import { type AutoReplyCount, countBySource } from '../queries/auto-reply-counts.ts'

/** Returns how many messages each auto-reply sent since a time. */
export const countAutoReplyMessages = (ctx: Context, since: Date): Promise<AutoReplyCount[]> =>
  countBySource(ctx, since)
