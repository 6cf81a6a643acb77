import { z } from 'zod'
import { type InsideJob, job, outsideJob } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { fetchInboundMedia } from './operations/fetch-media.ts'
import { keyOf } from './operations/store-key.ts'
import { sweepUpload as sweep } from './operations/sweep-upload.ts'
import { updateFailed } from './queries.ts'

const payload = z.object({ mediaId: z.string() })

/** Fetches a customer's file while the operator keeps it. */
export const fetchMedia = outsideJob({
  name: 'fetchMedia',
  payload,
  retrySeconds: [2, 10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, 86_400],
  runOutside: (ctx, { mediaId }) => fetchInboundMedia(ctx, mediaId),
  giveUp: async (ctx, { mediaId }, reason) => {
    await updateFailed(ctx.tx, ctx.workspace.id, mediaId, reason)
  },
})

/**
 * Removes the bytes of a file whose row was deleted. A trigger on the deletion creates this job (migration
 * 0006).
 */
export const eraseFile = outsideJob({
  name: 'eraseFile',
  payload,
  retrySeconds: [5, 60, 600, 3_600, 21_600, 86_400, 86_400, 86_400, 86_400, 86_400, 86_400],
  runOutside: async (ctx, { mediaId }) => {
    await ctx.outside.mediaStore.delete(keyOf(ctx.workspace.id, mediaId))
    return async () => {}
  },
})

/** Checks an upload when it should be finished, and when its id expires. */
export const sweepUpload: InsideJob<typeof payload> = job({
  name: 'sweepUpload',
  payload,
  retrySeconds: [5, 60, 600, 3_600],
  run: async (ctx, { mediaId }) => {
    const nextRunAt = await sweep(ctx, mediaId)
    if (nextRunAt) await enqueue(ctx, sweepUpload, { mediaId }, nextRunAt)
  },
})
