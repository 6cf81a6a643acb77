import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { deleteMediaRow, deleteUnusedMedia, findMediaRowForUpdate } from '../queries/media.ts'

/** How long a file waits for a post (spec 8.2: about 30 days). */
const UNUSED_MS = 30 * DAY_MS

/**
 * Forgets a file that was never stored, and after 30 days one that no draft and no scheduled post carries. Answers when to
 * look again; undefined when it is gone.
 */
export async function sweepMedia(ctx: Context, mediaId: string): Promise<Date | undefined> {
  // Whoever is writing a post with it holds it: the look at its posts comes after theirs.
  const row = await findMediaRowForUpdate(ctx, mediaId)
  if (!row) return undefined
  const unusedAt = later(row.createdAt, UNUSED_MS)
  if (row.state === 'pending') {
    await deleteMediaRow(ctx, mediaId)
    return undefined
  }
  if (ctx.now < unusedAt) return unusedAt
  return (await deleteUnusedMedia(ctx, mediaId)) ? undefined : later(ctx.now, UNUSED_MS)
}
