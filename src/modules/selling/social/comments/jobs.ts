import { z } from 'zod'
import { job } from '../../../../core/job.ts'
import { setReplyUnconfirmed } from './queries/replies.ts'

/** Settles a reply whose call ended without an answer because the process crashed: its result is unknown. */
export const settleReply = job({
  name: 'settleSocialReply',
  payload: z.object({ replyId: z.string() }),
  retrySeconds: [5, 60, 600],
  run: async (ctx, { replyId }) => {
    await setReplyUnconfirmed(ctx.tx, ctx.workspace.id, replyId)
  },
})
