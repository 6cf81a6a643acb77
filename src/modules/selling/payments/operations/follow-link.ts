/** Notifies the module that opened a link of its changes. */
import { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { job } from '../../../../core/job.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import type { LinkRow } from '../queries/links.ts'

/** The payload of the job of the module that opened a link. */
export const LinkFollowed = z.object({
  paymentLinkId: z.string(),
  subjectId: z.string(),
  /** Further payments, besides the first, that were unknown before. */
  furtherPayments: z.array(z.object({ paymentId: z.string(), paidPaise: z.int() })).default([]),
  /** Payments that the gateway refunded completely. */
  givenBack: z.array(z.string()).default([]),
})

/** Notifies the module that opened the link of a change. */
export const followLink = (
  ctx: Context,
  { id, subjectId, followJob }: LinkRow,
  news: Partial<Pick<z.output<typeof LinkFollowed>, 'furtherPayments' | 'givenBack'>> = {},
): Promise<void> =>
  enqueue(
    ctx,
    // The job kind belongs to the module that opened the link; the queue needs only its name.
    job({ name: followJob, payload: LinkFollowed, retrySeconds: [], run: async () => {} }),
    { paymentLinkId: id, subjectId, ...news },
  )
