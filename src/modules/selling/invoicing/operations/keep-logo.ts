/**
 * Copies a seller's logo when it is set, because uploads expire after some weeks and documents are kept for
 * years.
 */
import type { PrepareContext } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { type PictureHeader, pictureHeader } from '../../../../core/values/picture-header.ts'
import { isOfPrintableSize, MAX_PICTURE_PIXELS } from '../../../../core/values/printable-picture.ts'
import { findNamedFile } from '../../../messaging/media/operations/find-files.ts'
import { findLogo, upsertLogo } from '../queries/logos.ts'
import type { SalesSettings } from '../settings-schema.ts'

const MAX_LOGO_BYTES = 512 * 1024
const TYPES = ['image/png', 'image/jpeg']

const invalidLogo = (message: string) => invalid([{ path: 'seller.logoMediaId', message }])
const noLogo = () => invalidLogo('Must be a JPEG or PNG of at most 512 KB. Upload one with POST /media.')
const tooManyPixels = ({ width, height }: PictureHeader) =>
  invalidLogo(
    `Must have at most ${MAX_PICTURE_PIXELS / 1_000_000} million pixels. This picture has ${width} × ${height}.`,
  )

/** Stores the logo in the settings, unless it is already stored. */
export async function keepLogo(ctx: PrepareContext, { seller }: SalesSettings): Promise<void> {
  const mediaId = seller?.logoMediaId
  if (!mediaId) return
  const file = await ctx.transaction(async (txCtx) =>
    (await findLogo(txCtx, mediaId)) ? 'kept' : findNamedFile(txCtx, ctx.workspace.id, mediaId),
  )
  if (file === 'kept') return
  if (!file || !TYPES.includes(file.mimeType) || file.sizeBytes > MAX_LOGO_BYTES) throw noLogo()
  const stream = await ctx.outside.mediaStore.open(file.key)
  if (!stream) throw noLogo()
  const bytes = Buffer.concat(await stream.toArray())
  const header = pictureHeader(bytes)
  if (header && !isOfPrintableSize(header)) throw tooManyPixels(header)
  await ctx.transaction((txCtx) => upsertLogo(txCtx, mediaId, { mimeType: file.mimeType, bytes }))
}
