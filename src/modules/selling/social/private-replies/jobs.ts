import { z } from 'zod'
import { job } from '../../../../core/job.ts'
import { setPrivateReplyUnconfirmed } from './queries/private-replies.ts'

/** Settles a private reply whose call ended without an answer because the process crashed: its result is unknown. */
export const settlePrivateReply = job({
  name: 'settleSocialPrivateReply',
  payload: z.object({ commentId: z.string() }),
  retrySeconds: [5, 60, 600],
  run: async (ctx, { commentId }) => {
    await setPrivateReplyUnconfirmed(ctx.tx, { workspaceId: ctx.workspace.id, commentId })
  },
})
