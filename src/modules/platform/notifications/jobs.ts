import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { NUMBER_NOTICE } from '../workspaces/operations/number-state.ts'
import { notifyOfNumber } from './number-notices.ts'

/**
 * Notifies owners and admins of a number that cannot send. The statement that changes the number creates this
 * job.
 */
export const notifyOfBrokenNumber = job({
  name: NUMBER_NOTICE,
  payload: z.object({ phoneNumberId: z.string() }),
  retrySeconds: [10, 60, 300],
  run: (ctx, { phoneNumberId }) => notifyOfNumber(ctx, phoneNumberId),
})
