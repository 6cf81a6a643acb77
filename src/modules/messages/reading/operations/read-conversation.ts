/**
 * Reading a conversation (spec 4.10; docs/decisions/conversations.md): it counts as read at
 * once, and then the operator is notified, which anybody may do again.
 */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { getConversation, showConversation } from '../../../conversations/operations/read-conversations.ts'
import { countAsRead, keepReadMark } from '../../../conversations/operations/read-mark.ts'
import { findLatestInbound } from '../queries/messages.ts'

/** The operator takes no mark of an older message (docs/formats.md section 2). */
const MARKABLE_MS = 30 * DAY_MS

type Conversation = Awaited<ReturnType<typeof showConversation>>
type Mark = { conversationId: string; phoneNumberId: string; messageId: string; chanmid: string }

/** Counts it as read, and says what the operator has to be notified of. */
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

/** Reads a conversation and shows it. Refuses with `not_found`, or in the operator's words. */
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
    return showConversation(tx, await getConversation(tx, id))
  })
}
