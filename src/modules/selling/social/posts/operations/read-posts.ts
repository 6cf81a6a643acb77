import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { cutPage } from '../../../../../core/paging.ts'
import { findPostRow, listPartRows, listPostRows } from '../queries/posts.ts'
import type { Post, PostFilter } from '../schema.ts'
import { presentPost } from './present-post.ts'

/** Returns one post. Refuses with `not_found`. */
export async function getPost(ctx: Context, id: string): Promise<Post> {
  const row = isUuid(id) ? await findPostRow(ctx, id) : undefined
  if (!row) return refuse('not_found', 'Post not found. See GET /social/posts.')
  return presentPost(row, await listPartRows(ctx, ctx.workspace.id, [row.id]))
}

/** Returns one page of the posts created in Parley, newest first. */
export async function listPosts(ctx: Context, filter: PostFilter) {
  const { rows, nextCursor } = cutPage(await listPostRows(ctx, filter), filter.limit, (row) => row.id)
  const parts = await listPartRows(
    ctx,
    ctx.workspace.id,
    rows.map((row) => row.id),
  )
  return { posts: rows.map((row) => presentPost(row, parts)), nextCursor }
}
