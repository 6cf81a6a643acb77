/** Detects a file's type by its first bytes, independent of its claimed type. */
import { isUtf8 } from 'node:buffer'
import { kindOfMediaType, MEDIA_TYPES } from './media-types.ts'

/** The number of a file's first bytes that are checked. */
export const SIGNATURE_BYTES = 4096

type Signature = { types: string[]; fits(head: Buffer): boolean }

const text = (head: Buffer, start: number, length: number): string =>
  head.toString('latin1', start, start + length)
const startsWith =
  (...bytes: number[]) =>
  (head: Buffer): boolean =>
    head.length >= bytes.length && bytes.every((byte, i) => head[i] === byte)
const startsWithText = (expected: string) => (head: Buffer) => text(head, 0, expected.length) === expected

/** Returns the brand of an ISO media file (mp4, m4a, 3gp, mov, heic); undefined for other files. */
const brandOf = (head: Buffer): string | undefined =>
  text(head, 4, 4) === 'ftyp' ? text(head, 8, 4) : undefined

// Checks for an MPEG audio frame: eleven set bits, then an existing version and layer. Layer 0 is ADTS, which
// is AAC.
const frameLayer = (head: Buffer): number | undefined =>
  head.length >= 2 && head[0] === 0xff && (head[1]! & 0xe0) === 0xe0 ? (head[1]! >> 1) & 3 : undefined

/**
 * Readers accept a PDF with this many bytes before its header, and such files exist (docs/clarifications.md).
 */
const BEFORE_PDF_MAX = 1024
const PDF = '%PDF-'

const documentsOf = (part: string): string[] =>
  Object.keys(MEDIA_TYPES).filter((type) => kindOfMediaType(type) === 'document' && type.includes(part))

const SIGNATURES: Signature[] = [
  { types: ['image/jpeg'], fits: startsWith(0xff, 0xd8, 0xff) },
  { types: ['image/png'], fits: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  { types: ['image/gif'], fits: startsWithText('GIF8') },
  { types: ['image/webp'], fits: (head) => text(head, 0, 4) === 'RIFF' && text(head, 8, 4) === 'WEBP' },
  { types: ['audio/wav'], fits: (head) => text(head, 0, 4) === 'RIFF' && text(head, 8, 4) === 'WAVE' },
  { types: ['video/3gpp'], fits: (head) => brandOf(head)?.startsWith('3g') === true },
  { types: ['video/quicktime'], fits: (head) => brandOf(head) === 'qt  ' },
  { types: ['image/heic'], fits: (head) => /^(hei|hev|mif1|msf1|avif)/.test(brandOf(head) ?? '') },
  // The same container holds audio with or without video; few programs mark which in the brand.
  { types: ['video/mp4', 'audio/mp4'], fits: (head) => brandOf(head) !== undefined },
  { types: ['audio/ogg'], fits: startsWithText('OggS') },
  { types: ['audio/amr'], fits: startsWithText('#!AMR') },
  { types: ['audio/aac'], fits: (head) => frameLayer(head) === 0 || startsWithText('ADIF')(head) },
  { types: ['audio/mpeg'], fits: (head) => startsWithText('ID3')(head) || (frameLayer(head) ?? 0) > 0 },
  {
    types: ['application/pdf'],
    fits: (head) => head.subarray(0, BEFORE_PDF_MAX + PDF.length).includes(PDF),
  },
  { types: documentsOf('openxmlformats'), fits: startsWith(0x50, 0x4b, 0x03, 0x04) },
  {
    types: ['application/msword', ...documentsOf('vnd.ms-')],
    fits: startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  },
  { types: ['video/webm'], fits: startsWith(0x1a, 0x45, 0xdf, 0xa3) },
  { types: ['application/zip'], fits: startsWith(0x50, 0x4b) },
]

/**
 * Returns the possible types of a file with these first bytes, most likely first; none if unknown. `head` is
 * the first SIGNATURE_BYTES, or all of a shorter file.
 */
export function typesOfBytes(head: Buffer): string[] {
  const signature = SIGNATURES.find((signature) => signature.fits(head))
  if (signature) return signature.types
  return isPlainText(head) ? ['text/plain'] : []
}

function isPlainText(head: Buffer): boolean {
  if (head.length === 0 || head.includes(0)) return false
  // The last character may be cut off.
  for (let cut = 0; cut < 4; cut++) if (isUtf8(head.subarray(0, head.length - cut))) return true
  return false
}

/** Returns whether a WebP picture is animated: only then its extended header has the flag. */
export const isAnimatedWebp = (head: Buffer): boolean =>
  text(head, 12, 4) === 'VP8X' && head.length > 20 && (head[20]! & 0x02) !== 0
