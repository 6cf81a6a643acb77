/** Applies the network's reports of one account: messages first, then their changes, then comments. */
import type { Context } from '../../../../../core/context.ts'
import { idAfter } from '../../../../../core/ids.ts'
import type { MessageChange, ReportedComment, SocialReport } from '../../../../../social-network/port.ts'
import { applyChanges } from '../../chats/operations/apply-changes.ts'
import { applyMessages } from '../../chats/operations/apply-messages.ts'
import { applyComments, type PlacedComment } from '../../comments/operations/apply-comments.ts'
import { insertPermalinks } from '../../comments/queries/comments.ts'
import { settlePrivateReplies } from '../../private-replies/operations/settle-private-replies.ts'
import { type LookUpResult, mentionKey } from './look-up-missing-data.ts'

/** The reports of one update; the first item takes the update's id, the others take ids after it. */
export type ReportsOf = { updateId: string; accountId: string; username: string; reports: SocialReport[] }

type Numbered = { id: string; accountId: string; username: string; report: SocialReport }

export async function applyReports(ctx: Context, updates: ReportsOf[], found: LookUpResult): Promise<void> {
  const entries = updates.flatMap(numberedOf)
  // There may still be reports of an account that was connected before.
  for (const [accountId, reports] of Map.groupBy(entries, (entry) => entry.accountId)) {
    const messages = reports.flatMap(({ id, report }) =>
      report.kind === 'message' || report.kind === 'echo' ? [{ id, message: report }] : [],
    )
    await applyMessages(ctx, { accountId, messages, customers: found.customers })
    await settlePrivateReplies(
      ctx,
      accountId,
      messages.map(({ message }) => message),
    )
    await applyChanges(
      ctx,
      reports.flatMap(({ report }) => (isChange(report) ? [report] : [])),
    )
    await applyComments(
      ctx,
      accountId,
      reports.flatMap(({ id, username, report }) =>
        report.kind === 'comment' ? [placedComment(id, report, username, found)] : [],
      ),
    )
  }
  await rememberPosts(ctx, found)
}

const isChange = (report: SocialReport): report is MessageChange =>
  ['edited', 'deleted', 'reaction', 'seen'].includes(report.kind)

function numberedOf({ updateId, accountId, username, reports }: ReportsOf): Numbered[] {
  let used = 0
  return reports.map((report) => {
    const id = idAfter(updateId, used)
    used += report.kind === 'message' || report.kind === 'echo' ? report.items.length : 1
    return { id, accountId, username, report }
  })
}

/**
 * Returns a comment with its looked-up data. A mention names the account, and is under another account's
 * post.
 */
function placedComment(
  id: string,
  comment: ReportedComment,
  username: string,
  found: LookUpResult,
): PlacedComment {
  if (comment.mention) {
    const mention = found.mentions.get(mentionKey(comment))
    const author = mention?.username ?? comment.username
    return {
      id,
      comment: {
        ...comment,
        own: author?.toLowerCase() === username.toLowerCase(),
        username: author,
        text: mention?.text ?? comment.text,
        at: mention?.at ?? comment.at,
      },
      permalink: mention?.permalink ?? null,
      isMention: true,
    }
  }
  const post = comment.mediaId === null ? undefined : found.posts.get(comment.mediaId)
  return {
    id,
    comment,
    permalink: post?.permalink ?? null,
    isMention: post?.ours === false && names(comment.text, username),
  }
}

/**
 * Returns whether a text mentions the account in the network's form: `@username`, and not as part of a longer
 * name.
 */
function names(text: string | null, username: string): boolean {
  const words = text?.toLowerCase().match(/@[\p{L}\p{N}._]+/gu) ?? []
  return words.some((word) => word.slice(1).replace(/\.+$/, '') === username.toLowerCase())
}

const rememberPosts = async (ctx: Context, { posts }: LookUpResult): Promise<void> => {
  if (posts.size === 0) return
  await insertPermalinks(
    ctx.tx,
    [...posts].map(([mediaId, { permalink }]) => ({
      workspaceId: ctx.workspace.id,
      mediaId,
      permalink,
      createdAt: ctx.now,
    })),
  )
}
