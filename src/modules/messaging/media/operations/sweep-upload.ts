import type { Context } from '../../../../core/context.ts'
import { deleteMedia, findMediaRow, isUploadSent } from '../queries.ts'

/**
 * Deletes an upload that was interrupted, or whose id has expired without a message that contains it. Returns
 * when to check again; undefined when no check is needed: a sent upload is deleted with its last message.
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
