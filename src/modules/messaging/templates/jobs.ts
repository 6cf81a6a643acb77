import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { keepSample as keep } from './operations/keep-sample.ts'
import { settleSubmission } from './operations/settle-submission.ts'

/**
 * Asks the operator for the result of a submission after its request has ended, in case the request did not
 * record it; usually it did. Set aside after four days: then the next request for the name asks.
 */
export const settleTemplate = outsideJob({
  name: 'settleTemplate',
  payload: z.object({ templateId: z.string() }),
  retrySeconds: [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, 86_400],
  runOutside: (ctx, { templateId }) => settleSubmission(ctx, templateId),
})

/** Copies the sample file of a template's header. Without it, pages show a placeholder. */
export const keepSample = outsideJob({
  name: 'keepSample',
  payload: z.object({ templateId: z.string(), source: z.string() }),
  retrySeconds: [5, 60, 600, 3_600],
  runOutside: (ctx, payload) => keep(ctx, payload),
})
