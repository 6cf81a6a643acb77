import { z } from 'zod'
import { job } from '../../../../core/job.ts'
import { setUnconfirmed } from './queries/messages.ts'

/**
 * Settles a message whose send ended without an answer because the process crashed: its result is unknown.
 */
export const settleSend = job({
  name: 'settleSocialSend',
  payload: z.object({ messageId: z.string() }),
  retrySeconds: [5, 60, 600],
  run: async (ctx, { messageId }) => {
    await setUnconfirmed(ctx.tx, ctx.workspace.id, messageId)
  },
})
