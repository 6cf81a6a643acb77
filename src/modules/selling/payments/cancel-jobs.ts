/** Jobs that cancel payment links at the gateway. */
import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { cancelLinkById, cancelLinkOf } from './operations/cancel-link.ts'
import { endLinkOf } from './operations/link-reports.ts'

const CANCEL_RETRY_SECONDS = [5, 60, 600, 3_600, 21_600, 86_400]

/** Cancels the payment link of a request that has ended. */
export const cancelPaymentLink = outsideJob({
  name: 'cancelPaymentLink',
  payload: z.object({ paymentRequestId: z.string() }),
  retrySeconds: CANCEL_RETRY_SECONDS,
  runOutside: (ctx, { paymentRequestId }) => cancelLinkOf(ctx, paymentRequestId),
})

/**
 * Cancels the payment link of a deleted request. A trigger on the deletion creates this job (migration 0022).
 */
export const cancelErasedLink = outsideJob({
  name: 'cancelErasedLink',
  payload: z.object({ linkId: z.string() }),
  retrySeconds: CANCEL_RETRY_SECONDS,
  runOutside: (ctx, { linkId }) => cancelLinkById(ctx, linkId),
})

/** Cancels another module's link that must not be paid any more. */
export const endOpenLink = outsideJob({
  name: 'endOpenLink',
  payload: z.object({ paymentLinkId: z.string() }),
  retrySeconds: CANCEL_RETRY_SECONDS,
  runOutside: (ctx, { paymentLinkId }) => endLinkOf(ctx, paymentLinkId),
})
