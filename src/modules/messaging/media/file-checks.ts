import { type Issue, invalid } from '../../../core/errors.ts'
import type { SpooledFile } from '../../../core/spool.ts'
import { isAnimatedWebp, typesOfBytes } from '../../../operator/media-signatures.ts'
import {
  kindOfMediaType,
  MAX_MEDIA_BYTES,
  MAX_STILL_STICKER_BYTES,
  MEDIA_TYPES,
  type MediaKind,
  plainMediaType,
} from '../../../operator/media-types.ts'

const KIB = 1024
const sizeText = (bytes: number): string =>
  bytes % (KIB * KIB) === 0 ? `${bytes / KIB / KIB} MB` : `${bytes / KIB} KB`

/**
 * Checks a file against the network's types, its own first bytes, and the size limit of its kind
 * (docs/formats.md sections 5 and 17). Refuses with `invalid`, naming the field.
 */
export function checkFile(
  file: Pick<SpooledFile, 'head' | 'sizeBytes'>,
  declared: string,
): { mimeType: string; kind: MediaKind } {
  const mimeType = plainMediaType(declared)
  const kind = kindOfMediaType(mimeType)
  if (kind === undefined)
    throw refused('mimeType', `Must be one of ${Object.keys(MEDIA_TYPES).join(', ')}, not ${declared}.`)
  const actual = typesOfBytes(file.head)
  if (!actual.includes(mimeType))
    throw refused(
      'mimeType',
      actual.length === 0
        ? `Must match the file. It is ${mimeType}, but the file isn't.`
        : `Must match the file. It is ${mimeType}, but the file is ${actual[0]}.`,
    )
  const isStill = kind === 'sticker' && !isAnimatedWebp(file.head)
  const max = isStill ? MAX_STILL_STICKER_BYTES : MAX_MEDIA_BYTES[kind]
  if (file.sizeBytes > max)
    throw refused(
      'fileBase64',
      `Must be at most ${sizeText(max)} for ${isStill ? 'a still sticker' : `a file of type ${kind}`}.`,
    )
  return { mimeType, kind }
}

const refused = (path: string, message: string) => invalid([{ path, message } satisfies Issue])
