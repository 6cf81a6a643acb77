import type { Context } from '../../../../core/context.ts'
import { pictureHeader } from '../../../../core/values/picture-header.ts'
import { isOfPrintableSize } from '../../../../core/values/printable-picture.ts'
import { findLogo } from '../queries/logos.ts'
import type { Seller } from '../settings-schema.ts'

/** Returns the logo of a seller as an address that contains the picture; null without one. */
export async function logoOf(
  ctx: Context,
  seller: Pick<Seller, 'logoMediaId'> | null | undefined,
): Promise<string | null> {
  const logo = seller?.logoMediaId ? await findLogo(ctx, seller.logoMediaId) : undefined
  // Logos stored before the size limit are left out.
  const header = logo && pictureHeader(logo.bytes)
  if (!logo || (header && !isOfPrintableSize(header))) return null
  return `data:${logo.mimeType};base64,${logo.bytes.toString('base64')}`
}
