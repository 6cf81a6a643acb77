/** PNG pictures: complete, broken, and with headers that announce more data than they contain. */
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const RGBA = 6

function chunk(name: string, data: Buffer, length = data.length): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(length)
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

type Claims = { width: number; height: number; isInterlaced?: boolean }

const headerOf = ({ width, height, isInterlaced = false }: Claims): Buffer => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, RGBA, 0, 0, isInterlaced ? 1 : 0], 8)
  return chunk('IHDR', data)
}

const png = (...chunks: Buffer[]): Buffer => Buffer.concat([SIGNATURE, ...chunks])
const END = chunk('IEND', Buffer.alloc(0))
/** Rows of four bytes for each pixel; the filter's byte precedes each row. */
const rowsOf = (claims: Claims, filter = 0): Buffer => {
  const row = Buffer.alloc(1 + 4 * claims.width)
  row[0] = filter
  return Buffer.concat(Array.from({ length: claims.height }, () => row))
}

/** The first column and row of each pass of an interlaced picture, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const interlacedRowsOf = ({ width, height }: Claims): Buffer =>
  Buffer.concat(
    PASSES.map(([x, y, dx, dy]) => ({
      width: Math.ceil((width - x) / dx),
      height: Math.ceil((height - y) / dy),
    }))
      .filter((pass) => pass.width > 0 && pass.height > 0)
      .map((pass) => rowsOf(pass)),
  )

/**
 * Returns a transparent picture. A picture of more than a million pixels contains only the first of its rows.
 */
export const pngOf = (claims: Claims): Buffer => {
  const height = Math.min(claims.height, Math.floor(1_000_000 / claims.width))
  const held = { ...claims, height }
  const rows = claims.isInterlaced ? interlacedRowsOf(held) : rowsOf(held)
  return png(headerOf(claims), chunk('IDAT', deflateSync(rows)), END)
}

const SMALL = { width: 20, height: 20 }
const data = deflateSync(rowsOf(SMALL))

export const BROKEN_PNGS: [string, Buffer][] = [
  ['nothing but a signature', SIGNATURE],
  ['a chunk whose length leads back', png(headerOf(SMALL), chunk('tEXt', Buffer.alloc(0), 0xfffffff4), END)],
  ['a chunk longer than the file', png(headerOf(SMALL), chunk('IDAT', data, 0x7fffffff), END)],
  ['data that cannot be unpacked', png(headerOf(SMALL), chunk('IDAT', Buffer.alloc(200, 7)), END)],
  ['rows with an unknown filter', png(headerOf(SMALL), chunk('IDAT', deflateSync(rowsOf(SMALL, 9))), END)],
  ['fewer rows than its header says', png(headerOf({ width: 20, height: 2_000 }), chunk('IDAT', data), END)],
  [
    'data that unpacks to 300 MB',
    png(headerOf(SMALL), chunk('IDAT', deflateSync(Buffer.alloc(300_000_000))), END),
  ],
  [
    'a palette that is missing',
    png(headerOf(SMALL), chunk('tRNS', Buffer.alloc(10)), chunk('IDAT', data), END),
  ],
  ['without an end', png(headerOf(SMALL), chunk('IDAT', data))],
]
