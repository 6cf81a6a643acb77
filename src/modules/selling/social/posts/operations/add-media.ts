import { HOUR_MS, later } from '../../../../../core/clock.ts'
import type { OutsideContext } from '../../../../../core/context.ts'
import { invalid, type Refusal, refuse } from '../../../../../core/errors.ts'
import { newId } from '../../../../../core/ids.ts'
import type { SpooledFile } from '../../../../../core/spool.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import { keyOf } from '../../../../messaging/media/operations/store-key.ts'
import { describeFile, type PostFile } from '../../media-formats/describe-file.ts'
import { publishingHints } from '../../media-formats/publishing-hints.ts'
import { sweepPostMedia } from '../jobs.ts'
import { type AddedMedia, MAX_PHOTO_BYTES, type MediaByUrl } from '../media-schema.ts'
import { insertMediaRow, updateMediaStored } from '../queries/media.ts'

declare module '../../../../../core/context.ts' {
  interface Outside {
    /**
     * Downloads a file from a public https address to disk; the caller closes it. Refuses with `invalid`,
     * naming `field`, if the address is forbidden, does not answer 200, or is longer than `maxBytes`.
     */
    downloadFile(
      url: string,
      options: { field: string; accept: string; maxBytes: number },
    ): Promise<SpooledFile>
  }
}

/** When an unfinished file is deleted. */
const UNFINISHED_MS = HOUR_MS
/** More than any camera makes: a program that decodes it could run out of memory. */
const MAX_PIXELS = 100_000_000

/**
 * Downloads a JPEG from a public https address (spec 4.6); the network fetches our copy. Refuses with
 * `invalid`, naming the address.
 */
export async function addMediaByUrl(ctx: OutsideContext, { url }: MediaByUrl): Promise<AddedMedia> {
  const file = await ctx.outside.downloadFile(url, {
    field: 'url',
    accept: 'image/jpeg',
    maxBytes: MAX_PHOTO_BYTES,
  })
  try {
    const fileFacts = await describeFile(file)
    if (fileFacts?.kind !== 'image') throw refusal('url', "Must be a JPEG. The file isn't one.")
    return await keepMedia(ctx, file, fileFacts, 'url')
  } finally {
    await file.close()
  }
}

/**
 * Stores a photo or video that was uploaded to Parley (DECISIONS.md). Refuses with
 * `invalid` and `payload_too_large`.
 */
export async function addUploadedMedia(ctx: OutsideContext, file: SpooledFile): Promise<AddedMedia> {
  const fileFacts = await describeFile(file)
  if (!fileFacts)
    throw refusal('fileBase64', 'Must be a JPEG photo or an MP4 or MOV video. The file is neither.')
  if (fileFacts.kind === 'image' && file.sizeBytes > MAX_PHOTO_BYTES)
    refuse(
      'payload_too_large',
      `The photo is larger than ${MAX_PHOTO_BYTES / 1024 / 1024} MB. Use a smaller one.`,
    )
  return keepMedia(ctx, file, fileFacts, 'fileBase64')
}

const refusal = (path: string, message: string): Refusal => invalid([{ path, message }])

/**
 * Stores a file. The intent is recorded first, so that the rest of a crashed upload is deleted within the
 * hour.
 */
async function keepMedia(
  ctx: OutsideContext,
  file: SpooledFile,
  fileFacts: PostFile,
  field: string,
): Promise<AddedMedia> {
  const { kind, mime, width, height } = fileFacts
  if (width * height > MAX_PIXELS)
    throw refusal(
      field,
      `Must have at most ${MAX_PIXELS / 1_000_000} million pixels. The photo has ${width} × ${height}.`,
    )
  const id = newId()
  await ctx.transaction(async (txCtx) => {
    await insertMediaRow(txCtx, {
      workspaceId: txCtx.workspace.id,
      id,
      state: 'pending',
      kind,
      mimeType: mime,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      width,
      height,
      createdAt: txCtx.now,
    })
    await enqueue(txCtx, sweepPostMedia, { mediaId: id }, later(txCtx.now, UNFINISHED_MS))
  })
  await ctx.outside.mediaStore.put(keyOf(ctx.workspace.id, id), { ...file, mimeType: mime })
  const isStored = await ctx.transaction((txCtx) => updateMediaStored(txCtx.tx, txCtx.workspace.id, id))
  if (!isStored) throw new Error('the file was swept while it was stored')
  return {
    media: { mediaId: id, size: file.sizeBytes, mime, kind, width, height },
    hints: publishingHints(fileFacts),
  }
}
