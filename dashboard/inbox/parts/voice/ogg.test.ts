import { describe, expect, test } from 'vitest'
import { pagesIn, parseVoiceNote } from '../../../../test/support/ogg-pages.ts'
import { checksumOf, oggOf, samplesOf } from './ogg.ts'
import { opusIn } from './webm-opus.ts'

const HEAD = Uint8Array.from([...Buffer.from('OpusHead'), 1, 1, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0, 0, 0])
/** A packet of one CELT frame of 20 ms. */
const packet = (length: number, fill = 7): Uint8Array => Uint8Array.of(0xf8, ...Array(length - 1).fill(fill))

describe('voice messages in Ogg', () => {
  test.each([
    ['one SILK frame of 20 ms', [0x08], 960],
    ['two CELT frames of 20 ms', [0xf9], 1_920],
    ['three SILK frames of 60 ms, counted in the second byte', [0x1b, 3], 8_640],
    ['one hybrid frame of 10 ms', [0x60], 480],
    ['one CELT frame of 2.5 ms', [0x80], 120],
  ])('count the samples of a packet: %s', (_name, bytes, samples) => {
    expect(samplesOf(Uint8Array.from(bytes))).toBe(samples)
  })

  test('have the checksum of the format', () => {
    // The check value of CRC-32 with this polynomial, without reflection and inversion.
    expect(checksumOf(new TextEncoder().encode('123456789'))).toBe(0x89a1897f)
  })

  test('start with the head and the comments, and each page has the position after its last packet', () => {
    const packets = Array.from({ length: 120 }, (_, index) => packet(40 + index))
    const note = parseVoiceNote(oggOf({ head: HEAD, packets }, 5))
    expect(note.head).toEqual(HEAD)
    expect(note.vendor).toBe('Parley')
    expect(note.packets).toEqual(packets)
    expect(note.granules.at(-1)).toBe(120 * 960)
    expect(note.granules.toSorted((a, b) => a - b)).toEqual(note.granules)
  })

  test.each([254, 255, 256, 510, 1_000])('keep a packet of %d bytes whole', (length) => {
    const packets = [packet(length), packet(3), packet(length)]
    expect(parseVoiceNote(oggOf({ head: HEAD, packets }, 5)).packets).toEqual(packets)
  })

  test('use at most 255 segments in a page', () => {
    const packets = Array.from({ length: 49 }, () => packet(2_000))
    const pages = pagesIn(oggOf({ head: HEAD, packets }, 5))
    expect(Math.max(...pages.map(({ segments }) => segments.length))).toBeLessThanOrEqual(255)
    expect(parseVoiceNote(oggOf({ head: HEAD, packets }, 5)).packets).toHaveLength(49)
  })
})

const UNKNOWN = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
const element = (id: number[], content: readonly number[]): number[] => [
  ...id,
  0x40 | (content.length >> 8),
  content.length & 0xff,
  ...content,
]
const block = (content: readonly number[]) => element([0xa3], [0x81, 0, 0, 0x80, ...content])
const cluster = (...blocks: number[][]) => [
  0x1f,
  0x43,
  0xb6,
  0x75,
  ...UNKNOWN,
  0xe7,
  0x81,
  0,
  ...blocks.flat(),
]
const recording = (codec: string, ...clusters: number[][]) =>
  Uint8Array.from([
    ...element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x86, 0x81, 1]),
    0x18,
    0x53,
    0x80,
    0x67,
    ...UNKNOWN,
    ...element(
      [0x16, 0x54, 0xae, 0x6b],
      element([0xae], [...element([0x86], [...Buffer.from(codec)]), ...element([0x63, 0xa2], [...HEAD])]),
    ),
    ...clusters.flat(),
  ])

describe('recordings in WebM', () => {
  const [first, second, third] = [packet(60, 1), packet(61, 2), packet(300, 3)]

  test('give their head and packets, also from clusters of unknown size', () => {
    const bytes = recording(
      'A_OPUS',
      cluster(block([...first!]), block([...second!])),
      cluster(block([...third!])),
    )
    expect(opusIn(bytes)).toEqual({ head: HEAD, packets: [first, second, third] })
  })

  test('may end in the middle of a packet, because they are still being written', () => {
    const bytes = recording('A_OPUS', cluster(block([...first!]), block([...second!])))
    expect(opusIn(bytes.subarray(0, bytes.length - 10))?.packets).toEqual([first])
  })

  test('give nothing in another codec, or with several packets in a block', () => {
    expect(opusIn(recording('A_VORBIS', cluster(block([...first!]))))).toBeUndefined()
    expect(opusIn(new Uint8Array())).toBeUndefined()
    const laced = element([0xa3], [0x81, 0, 0, 0x82, ...first!])
    expect(opusIn(recording('A_OPUS', cluster(laced)))).toBeUndefined()
  })
})
