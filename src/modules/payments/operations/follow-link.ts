/** How whoever opened a link learns of what becomes of it. */
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { enqueue, job } from '../../../core/job.ts'
import type { LinkRow } from '../queries/links.ts'

/** What the job of whoever opened a link carries. */
export const LinkFollowed = z.object({
  paymentLinkId: z.string(),
  subjectId: z.string(),
  /** Payments beside the first one that nobody knew of before. */
  furtherPayments: z.array(z.object({ paymentId: z.string(), paidPaise: z.int() })).default([]),
  /** Payments that the gateway gave back, all of each. */
  givenBack: z.array(z.string()).default([]),
})

/** Reports to whoever opened the link that something became of it. */
export const followLink = (
  ctx: Context,
  { id, subjectId, followJob }: LinkRow,
  news: Partial<Pick<z.output<typeof LinkFollowed>, 'furtherPayments' | 'givenBack'>> = {},
): Promise<void> =>
  enqueue(
    ctx,
    // The kind is that of the module that opened it; only its name goes into the queue.
    job({ name: followJob, payload: LinkFollowed, retrySeconds: [], run: async () => {} }),
    { paymentLinkId: id, subjectId, ...news },
  )
