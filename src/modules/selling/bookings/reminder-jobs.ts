/** The job that reminds customers. */
import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { remind } from './operations/reminders.ts'

/** Reminds the customer of a booking that starts soon. */
export const remindOfBooking = job({
  name: 'remindOfBooking',
  payload: z.object({ bookingId: z.string(), startAt: z.string(), minutesBefore: z.number() }),
  retrySeconds: [1, 5, 30, 300, 1_800, 7_200],
  run: (ctx, plan) => remind(ctx, plan),
})
