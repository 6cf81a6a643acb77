import { DAY_MS, HOUR_MS, later } from '../../../../core/clock.ts'
import type { OutsideContext } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { invalid, Refusal, refuseReference } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import type { OperatorNumber } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { checkFile } from '../file-checks.ts'
import { safeFilename } from '../filename.ts'
import { sweepUpload } from '../jobs.ts'
import { deleteMedia, insertMedia, type NewMedia, updateStored } from '../queries.ts'
import type { MediaBody } from '../schema.ts'
import { keyOf } from './store-key.ts'

/** The time for which the operator keeps an upload (spec 8.2). */
const LIFETIME_MS = 30 * DAY_MS
/** When an unfinished upload is deleted. */
const UNFINISHED_MS = HOUR_MS

/**
 * Uploads a file to the operator and keeps a copy for `GET /messages/{id}/media` (spec 4.2). Records the
 * intent first, so that the rest of a crashed upload is removed within the hour. Returns the operator's id.
 */
export async function uploadMedia(
  ctx: AnsweringContext<{ id: string }>,
  body: MediaBody,
  file: SpooledFile,
): Promise<{ id: string }> {
  const { mimeType, kind } = checkFile(file, body.mimeType)
  const filename = safeFilename(body.filename)
  if (filename === null) throw invalid([{ path: 'filename', message: 'Must be a file name.' }])
  const number = await sendingNumber(ctx, body.phoneNumberId)
  const row = await ctx.transaction(async (txCtx) => {
    const media: NewMedia = {
      workspaceId: ctx.workspace.id,
      id: newId(),
      phoneNumberId: number.id,
      origin: 'upload',
      messageId: null,
      kind,
      operatorId: null,
      mimeType,
      filename,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      expiresAt: later(txCtx.now, UNFINISHED_MS),
      createdAt: txCtx.now,
    }
    await insertMedia(txCtx.tx, [media])
    await enqueue(txCtx, sweepUpload, { mediaId: media.id }, media.expiresAt)
    return media
  })
  try {
    await ctx.outside.mediaStore.put(keyOf(row.workspaceId, row.id), { ...file, mimeType })
    const answered = await ctx.outside.operator.uploadMedia(number, { ...file, mimeType, filename })
    if (answered.kind !== 'done') throw operatorRefusal(answered)
    const { id } = answered.value
    return await ctx.lastTransaction(async (txCtx) => {
      await updateStored(txCtx.tx, {
        ...row,
        operatorId: id,
        sizeBytes: file.sizeBytes,
        sha256: file.sha256,
        expiresAt: later(txCtx.now, LIFETIME_MS),
      })
      return { id }
    })
  } catch (error) {
    if (error instanceof Refusal)
      await ctx.transaction((txCtx) => deleteMedia(txCtx.tx, row.workspaceId, row.id))
    throw error
  }
}

async function sendingNumber(
  ctx: OutsideContext,
  phoneNumberId: string | undefined,
): Promise<OperatorNumber> {
  const chosen = await ctx.transaction(async (txCtx) =>
    chooseNumber(await listNumbers(txCtx, [ctx.workspace.id]), ctx.workspace.id, phoneNumberId),
  )
  if (chosen instanceof Refusal) throw chosen
  const number = await ctx.outside.operatorNumber(ctx.workspace.id, chosen.id)
  if (!number)
    return refuseReference('phoneNumberId', 'The number is no longer connected. See GET /phone-numbers.')
  return number
}
