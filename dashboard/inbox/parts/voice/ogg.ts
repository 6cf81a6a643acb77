/**
 * Writes Opus packets into an Ogg file (RFC 3533, RFC 7845), the operator's format of voice messages. Browsers
 * record the same packets in WebM, so the sound is not encoded again.
 */

/** The head of an Opus stream (`OpusHead`), and its packets. */
export type OpusStream = { head: Uint8Array; packets: readonly Uint8Array[] }

/** The largest number of segments in a page. */
const SEGMENTS_MAX = 255
const SEGMENT_BYTES = 255
/** Samples in one second; granule positions always count at this rate. */
const RATE = 48_000
const FIRST_PAGE = 2
const LAST_PAGE = 4

/** Frame lengths in samples by the configuration of a packet: SILK, hybrid, and CELT (RFC 6716 section 3.1). */
const SILK = [480, 960, 1_920, 2_880]
const HYBRID = [480, 960]
const CELT = [120, 240, 480, 960]

/** Returns the length of a packet in samples. */
export function samplesOf(packet: Uint8Array): number {
  const [toc = 0, count = 0] = packet
  const config = toc >> 3
  const frame = config < 12 ? SILK[config % 4]! : config < 16 ? HYBRID[config % 2]! : CELT[config % 4]!
  const code = toc & 3
  return frame * (code === 0 ? 1 : code === 3 ? count & 0x3f : 2)
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value >>> 0
})

/** Returns the checksum of a page, whose own field counts as zero. */
export function checksumOf(bytes: Uint8Array): number {
  let value = 0
  for (const byte of bytes) value = ((value << 8) ^ CRC[((value >>> 24) ^ byte) & 0xff]!) >>> 0
  return value
}

/** Returns the segment lengths of a packet: full segments, and one that is shorter. */
const segmentsOf = ({ length }: Uint8Array): number[] => [
  ...Array.from({ length: Math.floor(length / SEGMENT_BYTES) }, () => SEGMENT_BYTES),
  length % SEGMENT_BYTES,
]

type Page = {
  packets: readonly Uint8Array[]
  granule: number
  flags: number
  sequence: number
  serial: number
}

function pageOf({ packets, granule, flags, sequence, serial }: Page): Uint8Array {
  const segments = packets.flatMap(segmentsOf)
  const size = packets.reduce((sum, { length }) => sum + length, 0)
  const page = new Uint8Array(27 + segments.length + size)
  const view = new DataView(page.buffer)
  page.set([0x4f, 0x67, 0x67, 0x53, 0, flags])
  view.setBigUint64(6, BigInt(granule), true)
  view.setUint32(14, serial, true)
  view.setUint32(18, sequence, true)
  page[26] = segments.length
  page.set(segments, 27)
  let at = 27 + segments.length
  for (const packet of packets) {
    page.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, checksumOf(page), true)
  return page
}

/** Returns the comments of a stream, which only name the program. */
function tags(): Uint8Array {
  const vendor = new TextEncoder().encode('Parley')
  const bytes = new Uint8Array(8 + 4 + vendor.length + 4)
  bytes.set(new TextEncoder().encode('OpusTags'))
  new DataView(bytes.buffer).setUint32(8, vendor.length, true)
  bytes.set(vendor, 12)
  return bytes
}

/** Divides packets into pages of at most a second. */
function groupsOf(packets: readonly Uint8Array[]): Uint8Array[][] {
  const groups: Uint8Array[][] = []
  let [segments, samples] = [SEGMENTS_MAX, 0]
  for (const packet of packets) {
    const [needed, length] = [segmentsOf(packet).length, samplesOf(packet)]
    if (segments + needed > SEGMENTS_MAX || samples + length > RATE) {
      groups.push([])
      segments = 0
      samples = 0
    }
    groups.at(-1)!.push(packet)
    segments += needed
    samples += length
  }
  return groups
}

/** Returns the Ogg file of a stream. `serial` identifies the stream in the file. */
export function oggOf({ head, packets }: OpusStream, serial: number): Uint8Array<ArrayBuffer> {
  const common = { granule: 0, flags: 0, serial }
  const pages = [
    pageOf({ ...common, packets: [head], flags: FIRST_PAGE, sequence: 0 }),
    pageOf({ ...common, packets: [tags()], sequence: 1 }),
  ]
  const groups = groupsOf(packets)
  let granule = 0
  for (const [index, group] of groups.entries()) {
    granule += group.reduce((sum, packet) => sum + samplesOf(packet), 0)
    const flags = index === groups.length - 1 ? LAST_PAGE : 0
    pages.push(pageOf({ packets: group, granule, flags, sequence: index + 2, serial }))
  }
  const file = new Uint8Array(pages.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const page of pages) {
    file.set(page, at)
    at += page.length
  }
  return file
}
