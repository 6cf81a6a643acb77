/**
 * Marks a conversation as read (spec 4.10; src/modules/messaging/conversations/DECISIONS.md): first in
 * Parley, then at the operator, which is safe to repeat.
 */
import { DAY_MS, later } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import type { AnsweringContext } from '../../../../../core/endpoint.ts'
import { operatorRefusal } from '../../../../../operator/refusals.ts'
import {
  getInboxConversation,
  showConversation,
} from '../../../conversations/operations/read-conversations.ts'
import { countAsRead, keepReadMark } from '../../../conversations/operations/read-mark.ts'
import { findLatestInbound } from '../queries/messages.ts'

/** The operator accepts no read mark for older messages (docs/formats.md section 2). */
const MARKABLE_MS = 30 * DAY_MS

type Conversation = Awaited<ReturnType<typeof showConversation>>
type Mark = { conversationId: string; phoneNumberId: string; messageId: string; chanmid: string }

/** Marks it as read in Parley, and returns the notice for the operator. */
async function beginReading(ctx: Context, id: string, typing: boolean): Promise<Mark | undefined> {
  const row = await countAsRead(ctx, id)
  if (row.lastInboundAt === null || row.lastInboundAt <= later(ctx.now, -MARKABLE_MS)) return undefined
  const latest = await findLatestInbound(ctx, row.id)
  if (!latest || (latest.id === row.readMessageId && !typing)) return undefined
  return {
    conversationId: row.id,
    phoneNumberId: row.phoneNumberId,
    messageId: latest.id,
    chanmid: latest.chanmid,
  }
}

/** Marks a conversation as read and returns it. Refuses with `not_found`, or with the operator's error. */
export async function readConversation(
  ctx: AnsweringContext<Conversation>,
  id: string,
  { typing }: { typing: boolean },
): Promise<Conversation> {
  const mark = await ctx.transaction((tx) => beginReading(tx, id, typing))
  const number = mark && (await ctx.outside.operatorNumber(ctx.workspace.id, mark.phoneNumberId))
  if (mark && number) {
    const answered = await ctx.outside.operator.markRead(number, { chanmid: mark.chanmid, typing })
    if (answered.kind !== 'done') throw operatorRefusal(answered)
  }
  return ctx.lastTransaction(async (tx) => {
    if (mark && number) await keepReadMark(tx, mark.conversationId, mark.messageId)
    return showConversation(tx, await getInboxConversation(tx, id))
  })
}
