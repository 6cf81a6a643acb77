import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { sendPushNow } from './send.ts'

const subscriptionId = z.string()

/** Sends a push to one browser. It names the fact only: the text is read when it is sent. */
export const sendPush = outsideJob({
  name: 'sendPush',
  payload: z.union([
    z.object({ subscriptionId, conversationId: z.string(), messageId: z.string() }),
    z.object({ subscriptionId, notificationId: z.string() }),
  ]),
  retrySeconds: [5, 30, 120, 600],
  runOutside: (ctx, fact) => sendPushNow(ctx, fact),
})
