import type { Context } from '../../../../../core/context.ts'
import { refuseReference } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { newId } from '../../../../../core/ids.ts'
import { requireRole } from '../../../../../core/require-role.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import { recordActivity } from '../../../../platform/workspaces/operations/activity.ts'
import { requireAccount } from '../../operations/accounts.ts'
import { publishPost } from '../jobs.ts'
import { listStoredMediaForShare, type MediaRow } from '../queries/media.ts'
import { insertPartRows, insertPostRow } from '../queries/posts.ts'
import type { NewPost, Post } from '../schema.ts'
import { checkPost, checkSchedule } from './post-rules.ts'
import { getPost } from './read-posts.ts'

const WORDS = { schedule: 'Scheduling a post', publish: 'Publishing a post' }

/**
 * Creates a post: a draft, or a post that background work publishes now or at its time (spec 3, 4.6). Refuses
 * with `forbidden`, `not_connected`, `reconnect_required`, `invalid_reference`, `invalid_post`,
 * `invalid_schedule`.
 */
export async function createPost(ctx: Context, input: NewPost): Promise<Post> {
  const { action } = input
  if (action !== 'draft') {
    requireRole(ctx, 'admin', WORDS[action])
    await requireAccount(ctx)
  }
  const scheduledAt = checkSchedule(input, ctx.now)
  checkPost(input, await findPostMedia(ctx, input.media))
  const [id, run] = [newId(), newId()]
  await insertPostRow(ctx, {
    workspaceId: ctx.workspace.id,
    id,
    kind: input.kind,
    caption: input.caption,
    status: action === 'draft' ? 'draft' : 'scheduled',
    scheduledAt,
    runId: action === 'draft' ? null : run,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await insertPartRows(ctx, id, input.media)
  touch(ctx, { socialPost: id })
  if (action === 'schedule')
    await recordActivity(ctx, 'social_post.scheduled', {
      postId: id,
      scheduledAt: scheduledAt!.toISOString(),
    })
  if (action === 'publish') await recordActivity(ctx, 'social_post.publishing', { postId: id })
  if (action !== 'draft') await enqueue(ctx, publishPost, { postId: id, run }, scheduledAt ?? ctx.now)
  return getPost(ctx, id)
}

/** Returns the files of a post, in its order. Refuses with `invalid_reference`. */
export async function findPostMedia(ctx: Context, ids: string[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  const rowsById = new Map((await listStoredMediaForShare(ctx, ids)).map((row) => [row.id, row]))
  return ids.map(
    (id, i) =>
      rowsById.get(id.toLowerCase()) ??
      refuseReference(`media[${i}]`, `File ${id} not found. Add it with POST /social/media.`),
  )
}
