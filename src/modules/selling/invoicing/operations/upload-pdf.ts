import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { Refusal } from '../../../../core/errors.ts'
import { findMediaForSend } from '../../../messaging/media/operations/find-for-send.ts'
import { uploadMedia } from '../../../messaging/media/operations/upload-media.ts'
import type { DocumentSource } from '../pages/document-view.ts'
import { findPdfMedia, type PdfKey, updatePdfMedia } from '../queries/pdfs.ts'
import { pdfOf } from './document-formats.ts'

/** Returns the operator's id of the uploaded file, if it is valid for long enough to be sent. */
async function uploadedBefore(ctx: Context, key: PdfKey, phoneNumberId: string): Promise<string | undefined> {
  const mediaId = await findPdfMedia(ctx, key, phoneNumberId)
  if (mediaId === undefined) return undefined
  const [media] = await findMediaForSend(ctx, [{ workspaceId: ctx.workspace.id, mediaId }])
  return media && media.expiresAt > later(ctx.now, DAY_MS) ? mediaId : undefined
}

/** Uploads the PDF of a document to the operator, unless it is there already. Returns the id for messages. */
export async function uploadPdf<T>(
  ctx: AnsweringContext<T>,
  { source, phoneNumberId }: { source: DocumentSource; phoneNumberId: string },
): Promise<{ id: string; filename: string }> {
  const { bytes, filename, key } = await pdfOf(ctx, source)
  const uploadedId = await ctx.transaction((txCtx) => uploadedBefore(txCtx, key, phoneNumberId))
  if (uploadedId !== undefined) return { id: uploadedId, filename }
  const writer = await ctx.outside.spool.open()
  await writer.write(bytes)
  const file = writer.finish()
  try {
    const body = { fileBase64: '', mimeType: 'application/pdf', filename, phoneNumberId }
    const { id } = await uploadMedia(uploadOnce(ctx, key, phoneNumberId), body, file)
    return { id, filename }
  } finally {
    await file.close()
  }
}

type Uploaded = { id: string }

/** Stores the upload's id next to the file, for the next request that sends it. */
const uploadOnce = (
  { workspace, actor, clock, outside, requestKey, transaction }: OutsideContext,
  key: PdfKey,
  phoneNumberId: string,
): AnsweringContext<Uploaded> => ({
  workspace,
  actor,
  clock,
  outside,
  requestKey,
  transaction,
  lastTransaction: async (work) => {
    const upload = await transaction(async (txCtx) => {
      const done = await work(txCtx)
      if (!(done instanceof Refusal)) await updatePdfMedia(txCtx, key, { mediaId: done.id, phoneNumberId })
      return done
    })
    if (upload instanceof Refusal) throw upload
    return upload
  },
  remember: async () => {},
})
