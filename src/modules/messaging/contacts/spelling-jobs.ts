import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { mergeSpelledContacts } from './operations/merge-spelled.ts'

/**
 * Merges contacts that an earlier version stored under several spellings of one number, a bounded number per
 * step.
 */
export const mergeSpelled = job({
  name: 'merge_spelled_contacts',
  payload: z.object({ after: z.string() }),
  retrySeconds: [1, 5, 30, 120, 600, 3600],
  async run(ctx, { after }) {
    const next = await mergeSpelledContacts(ctx, after)
    if (next !== undefined) await enqueue(ctx, mergeSpelled, { after: next })
  },
})
