import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { recordActivity } from '../../../../platform/workspaces/operations/activity.ts'
import { findPostRowForUpdate, updatePostRow } from '../queries/posts.ts'
import type { Post } from '../schema.ts'
import { getPost } from './read-posts.ts'

/**
 * Cancels a scheduled post that is not being published yet (spec 3); a cancelled post stays cancelled.
 * Refuses with `not_found` and `conflict`.
 */
export async function cancelPost(ctx: Context, id: string): Promise<Post> {
  const row = isUuid(id) ? await findPostRowForUpdate(ctx, id) : undefined
  if (!row) return refuse('not_found', 'Post not found. See GET /social/posts.')
  if (row.status === 'cancelled') return getPost(ctx, row.id)
  if (row.status !== 'scheduled')
    refuse('conflict', `The post is ${row.status}. Only a scheduled post can be canceled.`)
  if (row.publishingSince !== null)
    refuse('conflict', "The post is already being published. It can't be canceled anymore.")
  await updatePostRow(ctx, row.id, { status: 'cancelled', runId: null })
  touch(ctx, { socialPost: row.id })
  await recordActivity(ctx, 'social_post.cancelled', { postId: row.id })
  return getPost(ctx, row.id)
}
