/** Simulates facts for developers, through the ordinary intake. */
import type { AnsweringContext } from '../../../core/endpoint.ts'
import { answerReview } from '../../selling/reviews/operations/answer-review.ts'
import type { SimulatedFact } from './schema.ts'
import { simulateCall } from './simulate-call.ts'
import { simulateOrder } from './simulate-order.ts'

export type Simulated = { reference?: string; paymentRequestId?: string; callId?: string; reviewId?: string }

type Of<Kind extends SimulatedFact['kind']> = Extract<SimulatedFact, { kind: Kind }>

const order = (ctx: AnsweringContext<Simulated>, report: Of<'order'>): Promise<Simulated> =>
  ctx.lastTransaction((txCtx) => simulateOrder(txCtx, report))

async function payment(
  ctx: AnsweringContext<Simulated>,
  { request, paise, method, fail }: Of<'payment'>,
): Promise<Simulated> {
  const paymentRequestId = await ctx.outside.simulatePayment(ctx.workspace, {
    request,
    ...(paise === undefined ? {} : { paise }),
    ...(method === undefined ? {} : { method }),
    ...(fail === undefined ? {} : { fail }),
  })
  return ctx.lastTransaction(async () => ({ paymentRequestId }))
}

const review = (
  ctx: AnsweringContext<Simulated>,
  { request, rating, comment }: Of<'review'>,
): Promise<Simulated> =>
  ctx.lastTransaction(async (txCtx) => {
    const trimmedComment = comment?.trim() ?? ''
    const answer = { rating, comment: trimmedComment === '' ? null : trimmedComment }
    return { reviewId: (await answerReview(txCtx, request.toLowerCase(), answer)).id }
  })

/** Simulates a fact, as the far side would report it. */
export function simulate(ctx: AnsweringContext<Simulated>, body: SimulatedFact): Promise<Simulated> {
  if (body.kind === 'order') return order(ctx, body)
  if (body.kind === 'payment') return payment(ctx, body)
  if (body.kind === 'review') return review(ctx, body)
  return ctx.lastTransaction(async (txCtx) => {
    const { callId } = await simulateCall(txCtx, body.from)
    return { callId }
  })
}
