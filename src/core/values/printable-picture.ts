/** Checks pictures before they are decoded: the claims of the file's header, and its unpacked size. */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { type PictureHeader, PNG_START, pictureHeader } from './picture-header.ts'

/** Decoding takes about twelve bytes of memory for each pixel. */
export const MAX_PICTURE_PIXELS = 4_000_000

/** Whether a picture of these dimensions may be decoded. */
export const isOfPrintableSize = ({ width, height }: Pick<PictureHeader, 'width' | 'height'>): boolean =>
  width * height <= MAX_PICTURE_PIXELS

/**
 * Returns a PNG or JPEG that is safe to decode: of limited size, complete, without chunks that are not part of the picture.
 * Undefined for any other file.
 */
export async function printablePicture(bytes: Buffer): Promise<Buffer | undefined> {
  const header = pictureHeader(bytes)
  if (!header || !isOfPrintableSize(header)) return undefined
  // The PDF printer embeds a JPEG without decoding it.
  return header.mimeType === 'image/jpeg' ? bytes : printablePng(bytes)
}

type Chunk = { name: string; whole: Buffer; data: Buffer }

/** Returns the chunks of a PNG up to its end; undefined if a length points outside the file. */
function chunksOf(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let position = PNG_START.length; position + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(position)
    const end = position + 12 + length
    if (end > bytes.length) return undefined
    const name = bytes.toString('latin1', position + 4, position + 8)
    chunks.push({ name, whole: bytes.subarray(position, end), data: bytes.subarray(position + 8, end - 4) })
    if (name === 'IEND') return chunks
    position = end
  }
  return undefined
}

/** Samples of a pixel and their allowed depths in bits, by type of color. */
const COLORS: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
const VISIBLE_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
const MAX_PALETTE_BYTES = 3 * 256
const LAST_FILTER = 4

/** First column and row, and the steps to the next ones, of each pass of an interlaced picture. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Returns the rows of the unpacked data; each has a filter byte, then its pixels. */
function rowsOf(header: Buffer): { count: number; bytes: number }[] | undefined {
  const color = COLORS[header[9]!]
  const depth = header[8]!
  const interlaced = header[12]!
  if (!color?.depths.includes(depth) || header[10] !== 0 || header[11] !== 0 || interlaced > 1)
    return undefined
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rowBytes = (columns: number): number => 1 + Math.ceil((columns * color.samples * depth) / 8)
  if (interlaced === 0) return [{ count: height, bytes: rowBytes(width) }]
  return PASSES.flatMap(([x, y, dx, dy]) => {
    const [columns, count] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return columns > 0 && count > 0 ? [{ count, bytes: rowBytes(columns) }] : []
  })
}

const unpack = promisify(inflate)

async function printablePng(bytes: Buffer): Promise<Buffer | undefined> {
  const chunks = chunksOf(bytes)
  const header = chunks?.[0]?.data
  if (!chunks || header?.length !== 13) return undefined
  const visibleChunks = chunks.filter(({ name }) => VISIBLE_CHUNKS.has(name))
  const chunksNamed = (name: string) => visibleChunks.filter((chunk) => chunk.name === name)
  if (chunksNamed('IHDR').length !== 1 || chunksNamed('PLTE').length > 1 || chunksNamed('tRNS').length > 1)
    return undefined
  if ([...chunksNamed('PLTE'), ...chunksNamed('tRNS')].some(({ data }) => data.length > MAX_PALETTE_BYTES))
    return undefined
  if (header[9] === 3 && chunksNamed('PLTE').length === 0) return undefined
  const rows = rowsOf(header)
  if (!rows) return undefined
  const length = rows.reduce((sum, row) => sum + row.count * row.bytes, 0)
  const packed = Buffer.concat(chunksNamed('IDAT').map(({ data }) => data))
  const unpacked = await unpack(packed, { maxOutputLength: length }).catch(() => undefined)
  if (unpacked?.length !== length || !hasOnlyKnownFilters(unpacked, rows)) return undefined
  return Buffer.concat([PNG_START, ...visibleChunks.map(({ whole }) => whole)])
}

function hasOnlyKnownFilters(unpacked: Buffer, rows: { count: number; bytes: number }[]): boolean {
  let position = 0
  for (const { count, bytes } of rows)
    for (let row = 0; row < count; row++, position += bytes)
      if (unpacked[position]! > LAST_FILTER) return false
  return true
}
