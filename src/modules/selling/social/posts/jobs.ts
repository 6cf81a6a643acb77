import { z } from 'zod'
import { type InsideJob, job, type OutsideJob, outsideJob } from '../../../../core/job.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { failPublishing, publishStep } from './operations/publish-post.ts'
import { sweepMedia } from './operations/sweep-media.ts'

const mediaPayload = z.object({ mediaId: z.string() })

/** Checks a file when it should be stored, and when it may no longer be needed. */
export const sweepPostMedia: InsideJob<typeof mediaPayload> = job({
  name: 'sweepPostMedia',
  payload: mediaPayload,
  retrySeconds: [5, 60, 600, 3_600],
  run: async (ctx, { mediaId }) => {
    const nextSweepAt = await sweepMedia(ctx, mediaId)
    if (nextSweepAt) await enqueue(ctx, sweepPostMedia, { mediaId }, nextSweepAt)
  },
})

const publishing = z.object({ postId: z.string(), run: z.string() })

/** Publishes a post in steps, one for each run; each step queues the next one. */
export const publishPost: OutsideJob<typeof publishing> = outsideJob({
  name: 'publishPost',
  payload: publishing,
  retrySeconds: [2, 10, 60, 300, 900, 1_800],
  runOutside: async (ctx, run) => {
    const outcome = await publishStep(ctx, run)
    return async (txCtx) => {
      const next = await outcome(txCtx)
      if (next) await enqueue(txCtx, publishPost, run, next)
    }
  },
  giveUp: async (ctx, run) => {
    await failPublishing(ctx, run)
  },
})
