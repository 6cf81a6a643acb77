import { DAY_MS, later } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import { deleteMediaRow, deleteUnusedMedia, findMediaRowForUpdate } from '../queries/media.ts'

/** The time after which an unused file is deleted (spec 8.2: about 30 days). */
const UNUSED_MS = 30 * DAY_MS

/**
 * Deletes a file that was never stored, and after 30 days a file without a draft or scheduled post. Returns
 * when to check again; undefined if it was deleted.
 */
export async function sweepMedia(ctx: Context, mediaId: string): Promise<Date | undefined> {
  // A request that creates a post with the file locks it, so its posts are read after that.
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
