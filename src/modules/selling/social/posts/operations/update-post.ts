import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { isUuid, newId } from '../../../../../core/ids.ts'
import { requireRole } from '../../../../../core/require-role.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import { recordActivity } from '../../../../platform/workspaces/operations/activity.ts'
import { requireAccount } from '../../operations/accounts.ts'
import { publishPost } from '../jobs.ts'
import {
  deletePartRows,
  findPostRowForUpdate,
  insertPartRows,
  listPartRows,
  type PostRow,
  updatePostRow,
} from '../queries/posts.ts'
import type { NewPost, Post, PostPatch } from '../schema.ts'
import { findPostMedia } from './create-post.ts'
import { checkPost, checkSchedule } from './post-rules.ts'
import { getPost } from './read-posts.ts'

/** Returns the post, locked, if it can still change. Refuses with `not_found` and `conflict`. */
async function findChangeable(ctx: Context, id: string): Promise<PostRow> {
  const row = isUuid(id) ? await findPostRowForUpdate(ctx, id) : undefined
  if (!row) return refuse('not_found', 'Post not found. See GET /social/posts.')
  if (row.status !== 'draft' && row.status !== 'scheduled')
    refuse('conflict', `The post is ${row.status}. Only a draft or a scheduled post can be changed.`)
  if (row.status === 'scheduled' && (row.publishingSince !== null || row.scheduledAt === null))
    refuse('conflict', "The post is already being published. It can't be changed anymore.")
  return row
}

function actionOf(row: PostRow, { action, scheduledAt }: PostPatch): NewPost['action'] {
  if (action) return action
  return scheduledAt || row.status === 'scheduled' ? 'schedule' : 'draft'
}

/**
 * Changes a draft, or a scheduled post that is not being published yet. The changed post follows the rules of a new one. If its time
 * changes, the run for the old time finds that it is outdated, and does nothing. Refuses with `not_found`, `conflict`, `forbidden`,
 * `not_connected`, `reconnect_required`, `invalid_reference`, `invalid_post`, `invalid_schedule`.
 */
export async function updatePost(ctx: Context, id: string, patch: PostPatch): Promise<Post> {
  const row = await findChangeable(ctx, id)
  const action = actionOf(row, patch)
  if (action !== 'draft') requireRole(ctx, 'admin', 'Changing a scheduled post')
  if (action !== 'draft' && (row.status === 'draft' || action === 'publish')) await requireAccount(ctx)
  const { kind = row.kind, caption = row.caption } = patch
  const media =
    patch.media ?? (await listPartRows(ctx, ctx.workspace.id, [row.id])).map((part) => part.mediaId)
  const scheduledAt = checkSchedule(
    { action, scheduledAt: patch.scheduledAt ?? (action === 'publish' ? null : row.scheduledAt) },
    ctx.now,
  )
  checkPost({ kind, caption, action }, await findPostMedia(ctx, media))
  if (patch.media) {
    await deletePartRows(ctx, row.id)
    await insertPartRows(ctx, row.id, media)
  }
  const isSameTime = row.status === 'scheduled' && row.scheduledAt?.getTime() === scheduledAt?.getTime()
  const run = action === 'draft' ? null : isSameTime ? row.runId : newId()
  const status = action === 'draft' ? 'draft' : 'scheduled'
  await updatePostRow(ctx, row.id, { kind, caption, status, scheduledAt, runId: run })
  touch(ctx, { socialPost: row.id })
  if (run !== null && !isSameTime) {
    await enqueue(ctx, publishPost, { postId: row.id, run }, scheduledAt ?? ctx.now)
    await (scheduledAt
      ? recordActivity(ctx, 'social_post.scheduled', {
          postId: row.id,
          scheduledAt: scheduledAt.toISOString(),
        })
      : recordActivity(ctx, 'social_post.publishing', { postId: row.id }))
  }
  return getPost(ctx, row.id)
}
