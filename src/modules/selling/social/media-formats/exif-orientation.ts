const HEADER = Buffer.from('Exif\0\0', 'latin1')
const ORIENTATION_TAG = 0x0112
const ENTRY_BYTES = 12
const MAX_ENTRIES = 500

/**
 * Returns the orientation of a photo, 1 to 8, from the Exif segment of its JPEG; undefined if it has none.
 */
export function exifOrientation(segment: Buffer): number | undefined {
  if (!segment.subarray(0, HEADER.length).equals(HEADER)) return undefined
  const tiff = segment.subarray(HEADER.length)
  if (tiff.length < 8) return undefined
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const short = (offset: number): number =>
    order === 'II' ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset)
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return undefined
  const entries = Math.min(short(first), MAX_ENTRIES)
  for (let i = 0; i < entries; i++) {
    const entryOffset = first + 2 + i * ENTRY_BYTES
    if (entryOffset + ENTRY_BYTES > tiff.length) return undefined
    if (short(entryOffset) === ORIENTATION_TAG) return short(entryOffset + 8)
  }
  return undefined
}
