import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { notifyOfSubmission as notify } from './operations/capture-notice.ts'

/** Notifies the team about a submission at the capture link that needs attention. */
export const notifyOfSubmission = job({
  name: 'notifyOfSubmission',
  payload: z.object({ submissionId: z.string() }),
  retrySeconds: [10, 60, 300],
  run: (ctx, { submissionId }) => notify(ctx, submissionId),
})
