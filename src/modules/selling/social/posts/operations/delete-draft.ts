import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { deletePartRows, deletePostRow, findPostRowForUpdate } from '../queries/posts.ts'

/** Deletes a draft. Its files expire by themselves. Refuses with `not_found` and `conflict`. */
export async function deleteDraft(ctx: Context, id: string): Promise<void> {
  const row = isUuid(id) ? await findPostRowForUpdate(ctx, id) : undefined
  if (!row) return refuse('not_found', 'Post not found. See GET /social/posts.')
  if (row.status !== 'draft') refuse('conflict', `The post is ${row.status}. Only a draft can be deleted.`)
  await deletePartRows(ctx, row.id)
  await deletePostRow(ctx, row.id)
  touch(ctx, { socialPost: row.id })
}
