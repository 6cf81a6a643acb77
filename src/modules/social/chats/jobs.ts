import { z } from 'zod'
import { job } from '../../../core/job.ts'
import { setUnconfirmed } from './queries/messages.ts'

/** A message whose handing over ended without an answer, because the process died: nobody knows whether it went out. */
export const settleSend = job({
  name: 'settleSocialSend',
  payload: z.object({ messageId: z.string() }),
  retrySeconds: [5, 60, 600],
  run: async (ctx, { messageId }) => {
    await setUnconfirmed(ctx.tx, ctx.workspace.id, messageId)
  },
})
