/** Background work on messages. */
import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { carryMergedMessages } from './queries/merged-messages.ts'

/** Messages in one step: a transaction of some fifty milliseconds. */
const MAX_STEP = 1_000

/**
 * Moves the messages of a long chat from a merged contact to the kept contact, newest first. The merge moves
 * the newest messages itself and queues this job for the rest (src/modules/messaging/contacts/DECISIONS.md
 * "Merges").
 */
export const carryMerged = job({
  name: 'carry_merged_messages',
  payload: z.object({ conversationId: z.string(), mergedId: z.string(), reached: z.string() }),
  retrySeconds: [1, 5, 30, 120, 600, 3600],
  async run(ctx, payload) {
    const reached = await carryMergedMessages(ctx, payload, MAX_STEP)
    if (reached !== null) await enqueue(ctx, carryMerged, { ...payload, reached })
  },
})
