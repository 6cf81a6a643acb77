import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { callOut, giveUpCall } from './operations/call-webhook.ts'

/** Calls the webhook of an automation, at most three times. */
export const callWebhook = outsideJob({
  name: 'callWebhook',
  payload: z.object({ runId: z.string(), position: z.number(), at: z.string() }),
  retrySeconds: [5, 30],
  runOutside: callOut,
  giveUp: giveUpCall,
})
