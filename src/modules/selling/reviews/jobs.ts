import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { takeTap } from './operations/apply-tapped-answer.ts'

/** Stores the row that a customer tapped as their answer. */
export const takeReviewAnswer = job({
  name: 'takeReviewAnswer',
  payload: z.object({ requestId: z.string(), contactId: z.string(), rating: z.number() }),
  retrySeconds: [5, 60, 600, 3_600],
  run: takeTap,
})
