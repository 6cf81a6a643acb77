import type { z } from 'zod'
import type { Context, Query } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../../core/paging.ts'
import { listPrivateRepliesOf } from '../../private-replies/queries/private-replies.ts'
import {
  type CommentRow,
  findCommentRow,
  findCommentRowForUpdate,
  findNetworkId,
  listCommentRows,
} from '../queries/comments.ts'
import { listRepliesOf } from '../queries/replies.ts'
import { type COMMENT_FILTERS, presentComment, type SocialComment } from '../schema.ts'

type PresentedComment = z.input<typeof SocialComment>

const noComment = (): never => refuse('not_found', 'Comment not found. See GET /social/comments.')

/** Returns a comment of the workspace; foreign and missing ones are the same 404. */
export const getComment = async (ctx: Context, id: string): Promise<CommentRow> =>
  (isUuid(id) ? await findCommentRow(ctx, id.toLowerCase()) : undefined) ?? noComment()

/** Returns the same comment, locked until the transaction ends. */
export const getCommentForUpdate = async (ctx: Context, id: string): Promise<CommentRow> =>
  (isUuid(id) ? await findCommentRowForUpdate(ctx, id.toLowerCase()) : undefined) ?? noComment()

async function showComments(ctx: Context, rows: CommentRow[]): Promise<PresentedComment[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [replies, privateReplies] = await Promise.all([
    listRepliesOf(ctx, ids),
    listPrivateRepliesOf(ctx, ids),
  ])
  const repliesOf = Map.groupBy(replies, (reply) => reply.commentId)
  const privateReplyOf = new Map(privateReplies.map((reply) => [reply.commentId, reply]))
  return rows.map((row) => presentComment(row, repliesOf.get(row.id) ?? [], privateReplyOf.get(row.id)))
}

/** Presents one comment in answers. */
export async function showComment(ctx: Context, row: CommentRow): Promise<PresentedComment> {
  return (await showComments(ctx, [row]))[0]!
}

/** Returns one page of comments and mentions, newest first (spec 4.6). */
export async function listComments(
  ctx: Context,
  page: CursorQuery & { filter: (typeof COMMENT_FILTERS)[number] },
): Promise<{ comments: PresentedComment[]; nextCursor: string | null }> {
  const { rows, nextCursor } = cutPage(await listCommentRows(ctx, page), page.limit, (row) => row.id)
  return { comments: await showComments(ctx, rows), nextCursor }
}

/** Returns the network's id of a comment; undefined if there is none. */
export const findNetworkIdOfComment: (
  query: Query,
  workspaceId: string,
  id: string,
) => Promise<string | undefined> = findNetworkId
