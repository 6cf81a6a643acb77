/** Files of past messages: their bytes are stored before the transaction that stores the messages. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import type { MediaKind } from '../../../../operator/media-types.ts'
import { sweepUpload } from '../jobs.ts'
import { attachMedia, insertHeldMedia } from '../past-queries.ts'
import { keyOf } from './store-key.ts'

/** When the bytes of a file are deleted if no message took them. */
const UNUSED_FILE_MS = 6 * HOUR_MS

/** A file to hold. `mediaId` is ours, and the same at each attempt. */
export type HeldFile = {
  mediaId: string
  phoneNumberId: string
  kind: MediaKind
  mimeType: string
  filename: string | null
  file: SpooledFile
}

/**
 * Stores the bytes of a file for a past message. Records the intent first, so that bytes that no message takes are deleted within
 * hours. An attempt after a kill stores the same file again.
 */
export async function holdPastFile(
  ctx: Pick<OutsideContext, 'workspace' | 'outside' | 'transaction'>,
  { mediaId, phoneNumberId, kind, mimeType, filename, file }: HeldFile,
): Promise<void> {
  await ctx.transaction(async (txCtx) => {
    const expiresAt = later(txCtx.now, UNUSED_FILE_MS)
    const isNew = await insertHeldMedia(txCtx, {
      id: mediaId,
      phoneNumberId,
      kind,
      mimeType,
      filename,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      expiresAt,
    })
    if (isNew) await enqueue(txCtx, sweepUpload, { mediaId }, expiresAt)
  })
  await ctx.outside.mediaStore.put(keyOf(ctx.workspace.id, mediaId), { ...file, mimeType })
}

/** Gives held files to their messages, in the transaction that stores the messages. */
export async function attachPastFiles(
  ctx: Context,
  files: { mediaId: string; messageId: string }[],
): Promise<void> {
  if (files.length > 0) await attachMedia(ctx, files)
}
