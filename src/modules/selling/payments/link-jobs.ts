/** Jobs of payment links of other modules. */
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { outsideJob } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { checkLinkNow, nextLinkCheckAfterFault } from './operations/link-reports.ts'
import { failLink, makeLinkOf } from './operations/make-open-link.ts'

const payload = z.object({ paymentLinkId: z.string() })

/** Creates a link at the gateway. */
export const makeOpenLink = outsideJob({
  name: 'makeOpenLink',
  payload,
  // The customer waits for it.
  retrySeconds: [2, 5, 15, 60, 300],
  runOutside: (ctx, { paymentLinkId }) => makeLinkOf(ctx, paymentLinkId),
  giveUp: (ctx, { paymentLinkId }, why) =>
    failLink(ctx, paymentLinkId, `The payment gateway didn't answer: ${why}`),
})

/** Checks whether a link was paid, and plans the next check. */
export const checkOpenLink = outsideJob({
  name: 'checkOpenLink',
  payload,
  retrySeconds: [60, 600, 3_600],
  runOutside: async (ctx, { paymentLinkId }) => {
    const apply = await checkLinkNow(ctx, paymentLinkId)
    return async (txCtx) => planNext(txCtx, paymentLinkId, await apply(txCtx))
  },
  // An internal error must not end the checks, because the customer may have paid.
  giveUp: async (ctx, { paymentLinkId }) =>
    planNext(ctx, paymentLinkId, await nextLinkCheckAfterFault(ctx, paymentLinkId)),
})

async function planNext(ctx: Context, paymentLinkId: string, checkAt: Date | undefined): Promise<void> {
  if (checkAt) await enqueue(ctx, checkOpenLink, { paymentLinkId }, checkAt)
}
