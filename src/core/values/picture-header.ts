/** Reads the headers of pictures without decoding: a file of a few kilobytes may claim billions of pixels. */

export type PictureHeader = { mimeType: 'image/png' | 'image/jpeg'; width: number; height: number }

/** Reads the dimensions of a PNG or a JPEG; undefined for any other file. */
export const pictureHeader = (bytes: Buffer): PictureHeader | undefined =>
  pngHeader(bytes) ?? jpegHeader(bytes)

export const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Position after the signature, and the length and name of the first chunk, which starts with width and height. */
const PNG_SIZE_AT = 16

function pngHeader(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < PNG_SIZE_AT + 8 || !bytes.subarray(0, 8).equals(PNG_START)) return undefined
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return toHeader('image/png', bytes.readUInt32BE(PNG_SIZE_AT), bytes.readUInt32BE(PNG_SIZE_AT + 4))
}

/** Baseline, extended and progressive frames. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2]
/** End of the picture, start of its data. */
const JPEG_ENDS = [0xd9, 0xda]

function jpegHeader(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let position = 2; position + 9 <= bytes.length && bytes[position] === 0xff; ) {
    const marker = bytes[position + 1]!
    // A fill byte before a marker.
    if (marker === 0xff) {
      position++
      continue
    }
    if (JPEG_ENDS.includes(marker)) return undefined
    const length = bytes.readUInt16BE(position + 2)
    if (JPEG_FRAMES.includes(marker))
      return toHeader('image/jpeg', bytes.readUInt16BE(position + 7), bytes.readUInt16BE(position + 5))
    if (length < 2) return undefined
    position += 2 + length
  }
  return undefined
}

const toHeader = (
  mimeType: PictureHeader['mimeType'],
  width: number,
  height: number,
): PictureHeader | undefined => (width > 0 && height > 0 ? { mimeType, width, height } : undefined)
