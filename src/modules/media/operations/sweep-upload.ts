import type { Context } from '../../../core/context.ts'
import { deleteMedia, findMediaRow, isUploadSent } from '../queries.ts'

/**
 * Forgets an upload that broke off, and one whose id has run out without a message that carries it. Answers when to
 * look again; undefined when there is nothing more to look for: a sent upload goes with its last message.
 */
export async function sweepUpload(ctx: Context, mediaId: string): Promise<Date | undefined> {
  const row = await findMediaRow(ctx.tx.sql, ctx.workspace.id, mediaId)
  if (row?.origin !== 'upload') return undefined
  const { state, operatorId, expiresAt } = row
  if (state === 'stored' && expiresAt > ctx.now) return expiresAt
  if (
    state !== 'stored' ||
    operatorId === null ||
    !(await isUploadSent(ctx.tx, ctx.workspace.id, operatorId))
  )
    await deleteMedia(ctx.tx, ctx.workspace.id, mediaId)
  return undefined
}
