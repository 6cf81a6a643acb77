/** Reads the Opus packets of a WebM recording, also of one that is still being written. */
import type { OpusStream } from './ogg.ts'

const SEGMENT = 0x18538067
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const CODEC = 0x86
const CODEC_HEAD = 0x63a2
const CLUSTER = 0x1f43b675
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3
/** Elements whose content is read; all others are skipped as a whole. */
const OPENED = [SEGMENT, TRACKS, TRACK, CLUSTER, BLOCK_GROUP]

/** The place and flags of a block, after the number of its track. */
const BLOCK_HEAD = 3
const LACING = 0x06

/** Returns the number of bytes of a number with this first byte. */
const widthOf = (first: number): number => Math.clz32(first) - 23

/**
 * Reads a number of variable length. `keepsMark`: an ID includes the bit that marks its length. Returns
 * undefined at the end of the bytes.
 */
function numberAt(bytes: Uint8Array, at: number, keepsMark: boolean) {
  const first = bytes[at]
  if (!first) return undefined
  const width = widthOf(first)
  if (at + width > bytes.length) return undefined
  let value = keepsMark ? first : first & (0xff >> width)
  let isUnknown = !keepsMark && value === 0xff >> width
  for (const byte of bytes.subarray(at + 1, at + width)) {
    value = value * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return { value, end: at + width, isUnknown }
}

/** Returns the packet of a block; an empty packet if the block has several, which browsers do not write. */
function packetOf(block: Uint8Array): Uint8Array {
  const track = numberAt(block, 0, false)
  const start = (track?.end ?? 0) + BLOCK_HEAD
  return (block[start - 1] ?? 0) & LACING ? new Uint8Array() : block.slice(start)
}

/** Returns the stream in a recording; undefined if it is not Opus with one packet in each block. */
export function opusIn(bytes: Uint8Array): OpusStream | undefined {
  let codec = ''
  let head: Uint8Array | undefined
  const packets: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const id = numberAt(bytes, at, true)
    const size = id && numberAt(bytes, id.end, false)
    if (!size) break
    // The content of an opened element follows directly. Its own end does not matter, so it may be unknown.
    if (OPENED.includes(id.value)) {
      at = size.end
      continue
    }
    const end = size.end + size.value
    // The last element of a recording that is still written may be incomplete.
    if (size.isUnknown || end > bytes.length) break
    const content = bytes.subarray(size.end, end)
    if (id.value === CODEC) codec = new TextDecoder().decode(content)
    else if (id.value === CODEC_HEAD) head = content.slice()
    else if (id.value === SIMPLE_BLOCK || id.value === BLOCK) packets.push(packetOf(content))
    at = end
  }
  return codec.startsWith('A_OPUS') && head && packets.every(({ length }) => length > 0)
    ? { head, packets }
    : undefined
}
