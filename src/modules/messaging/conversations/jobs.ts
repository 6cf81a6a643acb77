import { z } from 'zod'
import { type InsideJob, job } from '../../../core/job.ts'
import { endSnoozeAtItsTime } from './operations/end-snooze.ts'

const payload = z.object({ conversationId: z.string(), until: z.string() })

/** Ends a snooze at its time. `until` names the snooze: a later one of the same chat has its own job. */
export const endSnooze: InsideJob<typeof payload> = job({
  name: 'endSnooze',
  payload,
  retrySeconds: [5, 60, 600, 3_600, 21_600],
  run: (ctx, { conversationId, until }) => endSnoozeAtItsTime(ctx, conversationId, new Date(until)),
})
