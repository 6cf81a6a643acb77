/** Reads Ogg files page by page and checks their rules, independent of the code that writes them. */
import { expect } from 'vitest'

export type OggPage = {
  flags: number
  granule: number
  serial: number
  sequence: number
  segments: number[]
  body: Uint8Array
}

/** The checksum of RFC 3533, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((crc >>> 31) ^ (byte >> bit)) & 1
      crc = ((crc << 1) ^ (carry ? 0x04c11db7 : 0)) >>> 0
    }
  return crc
}

/** Returns the pages of a file. Each must have the pattern, the version, and its checksum. */
export function pagesIn(file: Uint8Array): OggPage[] {
  const pages: OggPage[] = []
  for (let at = 0; at < file.length; ) {
    expect(Buffer.from(file.subarray(at, at + 4)).toString()).toBe('OggS')
    const view = new DataView(file.buffer, file.byteOffset + at)
    expect(view.getUint8(4)).toBe(0)
    const count = view.getUint8(26)
    const segments = [...file.subarray(at + 27, at + 27 + count)]
    const start = at + 27 + count
    const end = start + segments.reduce((sum, length) => sum + length, 0)
    expect(end).toBeLessThanOrEqual(file.length)
    const page = file.slice(at, end)
    page.fill(0, 22, 26)
    expect(view.getUint32(22, true)).toBe(crcOf(page))
    pages.push({
      flags: view.getUint8(5),
      granule: Number(view.getBigUint64(6, true)),
      serial: view.getUint32(14, true),
      sequence: view.getUint32(18, true),
      segments,
      body: file.slice(start, end),
    })
    at = end
  }
  return pages
}

/** Returns the packets of a page; in voice notes of the dashboard none continues on the next page. */
function packetsOf({ segments, body }: OggPage): Uint8Array[] {
  const packets: Uint8Array[] = []
  let [start, end] = [0, 0]
  for (const length of segments) {
    end += length
    if (length === 255) continue
    packets.push(body.slice(start, end))
    start = end
  }
  expect(start).toBe(body.length)
  return packets
}

/** Reads a voice note, and checks the order and flags of its pages (RFC 7845). */
export function parseVoiceNote(file: Uint8Array) {
  const pages = pagesIn(file)
  expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index))
  expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1)
  expect(pages.map(({ flags }) => flags)).toEqual(
    pages.map((_, index) => (index === 0 ? 2 : index === pages.length - 1 ? 4 : 0)),
  )
  const [first, second, ...rest] = pages
  expect([first!.granule, second!.granule]).toEqual([0, 0])
  const [head] = packetsOf(first!)
  const [tags] = packetsOf(second!)
  const text = Buffer.from(tags!)
  expect([text.toString('latin1', 0, 8), Buffer.from(head!).toString('latin1', 0, 8)]).toEqual([
    'OpusTags',
    'OpusHead',
  ])
  return {
    head: head!,
    channels: head![9],
    vendor: text.toString('utf8', 12, 12 + text.readUInt32LE(8)),
    packets: rest.flatMap(packetsOf),
    granules: rest.map(({ granule }) => granule),
  }
}
