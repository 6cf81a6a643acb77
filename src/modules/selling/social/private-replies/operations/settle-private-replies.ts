import type { Context } from '../../../../../core/context.ts'
import type { DirectMessage } from '../../../../../social-network/port.ts'
import { comparableText } from '../../chats/comparable-text.ts'
import { findMessageByMid, setAuthor } from '../../chats/queries/messages.ts'
import { setReplied } from '../../comments/queries/comments.ts'
import {
  listOpenPrivateRepliesForUpdate,
  type PrivateReplyRow,
  setPrivateReplySent,
} from '../queries/private-replies.ts'

/**
 * Records that the network has a private reply under the id `mid`: its message, which is stored, gets its author, and the
 * comment counts as answered.
 */
export async function recordPrivateReply(
  ctx: Context,
  row: PrivateReplyRow,
  { mid, at }: { mid: string; at: Date },
): Promise<{ messageId: string; conversationId: string } | undefined> {
  const message = await findMessageByMid(ctx.tx, row.workspaceId, mid)
  if (!message) return undefined
  const { sentBy, sourceKind, sourceId, sourceName } = row
  await setAuthor(ctx.tx, { ...message, sentBy, sourceKind, sourceId, sourceName })
  await setPrivateReplySent(ctx.tx, row, { messageId: message.id, mid, at })
  await setReplied(ctx.tx, [{ workspaceId: row.workspaceId, commentId: row.commentId, at }])
  return { messageId: message.id, conversationId: message.conversationId }
}

/**
 * Settles private replies without an answer by the messages of the account that the network reported, which are stored. A
 * report doesn't name the comment, so author and text must be the same.
 */
export async function settlePrivateReplies(
  ctx: Context,
  accountId: string,
  messages: DirectMessage[],
): Promise<void> {
  const echoes = messages.filter(({ kind }) => kind === 'echo')
  if (echoes.length === 0) return
  const open = await listOpenPrivateRepliesForUpdate(ctx.tx, { workspaceId: ctx.workspace.id, accountId })
  for (const echo of open.length === 0 ? [] : echoes) {
    const text = comparableText(echo.items[0]!)
    const position = open.findIndex((row) => row.authorId === echo.customerId && row.text.trim() === text)
    if (position < 0) continue
    const [row] = open.splice(position, 1)
    await recordPrivateReply(ctx, row!, { mid: echo.mid, at: ctx.now })
  }
}
