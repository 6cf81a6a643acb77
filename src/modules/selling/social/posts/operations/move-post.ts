import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { isUuid, newId } from '../../../../../core/ids.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import { recordActivity } from '../../../../platform/workspaces/operations/activity.ts'
import { publishPost } from '../jobs.ts'
import { findPostRowForUpdate, updatePostRow } from '../queries/posts.ts'
import type { Post, PostMove } from '../schema.ts'
import { checkSchedule } from './post-rules.ts'
import { getPost } from './read-posts.ts'

/**
 * Moves a scheduled post to another time. The run for the old time finds that it is outdated, and does
 * nothing. Refuses with `not_found`, `conflict`, `invalid_schedule`.
 */
export async function movePost(ctx: Context, id: string, { scheduledAt }: PostMove): Promise<Post> {
  const row = isUuid(id) ? await findPostRowForUpdate(ctx, id) : undefined
  if (!row) return refuse('not_found', 'Post not found. See GET /social/posts.')
  if (row.status !== 'scheduled')
    refuse('conflict', `The post is ${row.status}. Only a scheduled post can be moved.`)
  if (row.publishingSince !== null || row.scheduledAt === null)
    refuse('conflict', "The post is already being published. It can't be moved anymore.")
  checkSchedule({ action: 'schedule', scheduledAt }, ctx.now)
  if (row.scheduledAt?.getTime() === scheduledAt.getTime()) return getPost(ctx, row.id)
  const run = newId()
  await updatePostRow(ctx, row.id, { scheduledAt, runId: run })
  touch(ctx, { socialPost: row.id })
  await enqueue(ctx, publishPost, { postId: row.id, run }, scheduledAt)
  await recordActivity(ctx, 'social_post.scheduled', {
    postId: row.id,
    scheduledAt: scheduledAt.toISOString(),
  })
  return getPost(ctx, row.id)
}
