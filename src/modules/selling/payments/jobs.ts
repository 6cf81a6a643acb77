import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { job, outsideJob } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { checkPaymentNow, nextPaymentCheckAfterFault } from './operations/check-payment.ts'
import { READ_REFUNDS } from './operations/early-refunds.ts'
import { expireRequest } from './operations/end-request.ts'
import { failRequest, makeLink } from './operations/payment-link.ts'
import { readRefundsOf } from './operations/refunds.ts'

const payload = z.object({ paymentRequestId: z.string() })

/** Creates a request's payment link at the gateway, and releases its message. */
export const makePaymentLink = outsideJob({
  name: 'makePaymentLink',
  payload,
  // The customer waits in the chat, so attempts stop after an hour and a half.
  retrySeconds: [2, 5, 15, 60, 300, 900, 1_800, 2_400],
  runOutside: (ctx, { paymentRequestId }) => makeLink(ctx, paymentRequestId),
  giveUp: (ctx, { paymentRequestId }, why) =>
    failRequest(ctx, paymentRequestId, {
      code: 'no_answer',
      message: `The payment gateway didn't answer: ${why}`,
    }),
})

/** Checks whether a request was paid, and plans the next check. */
export const checkPayment = outsideJob({
  name: 'checkPayment',
  payload,
  retrySeconds: [60, 600, 3_600],
  runOutside: async (ctx, { paymentRequestId }) => {
    const apply = await checkPaymentNow(ctx, paymentRequestId)
    return async (txCtx) => planNext(txCtx, paymentRequestId, await apply(txCtx))
  },
  // An internal error must not end the checks, because the customer may have paid.
  giveUp: async (ctx, { paymentRequestId }) =>
    planNext(ctx, paymentRequestId, await nextPaymentCheckAfterFault(ctx, paymentRequestId)),
})

async function planNext(ctx: Context, paymentRequestId: string, checkAt: Date | undefined): Promise<void> {
  if (checkAt) await enqueue(ctx, checkPayment, { paymentRequestId }, checkAt)
}

/** Reads the refunds of a payment. */
export const readRefunds = outsideJob({
  name: READ_REFUNDS,
  payload: z.object({ paymentId: z.string() }),
  retrySeconds: [5, 60, 600, 3_600, 21_600],
  runOutside: (ctx, { paymentId }) => readRefundsOf(ctx, paymentId),
})

/** Expires a request whose time to pay is over. */
export const expirePaymentRequest = job({
  name: 'expirePaymentRequest',
  payload,
  retrySeconds: [5, 60, 600, 3_600],
  run: (ctx, { paymentRequestId }) => expireRequest(ctx, paymentRequestId),
})
