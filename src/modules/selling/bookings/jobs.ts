/** Background work of bookings. */
import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { LinkFollowed } from '../payments/operations/follow-link.ts'
import { endLapsedHold } from './operations/end-hold.ts'
import { applyAdvance } from './operations/follow-advance.ts'
import { releaseErasedBooking } from './operations/release-erased.ts'

const retrySeconds = [1, 5, 30, 300, 1_800, 7_200]
const payload = z.object({ bookingId: z.string() })

/** Follows a change of the payment link for an advance. */
export const followAdvance = job({
  name: 'followAdvance',
  payload: LinkFollowed,
  retrySeconds,
  run: (ctx, change) => applyAdvance(ctx, change),
})

/** Ends a hold when the time to pay its advance is over. */
export const endHold = job({
  name: 'endHold',
  payload,
  retrySeconds,
  run: (ctx, { bookingId }) => endLapsedHold(ctx, bookingId),
})

/** Cancels the future bookings of an erased customer. */
export const releaseErased = job({
  name: 'releaseErased',
  payload,
  retrySeconds,
  run: (ctx, { bookingId }) => releaseErasedBooking(ctx, bookingId),
})
