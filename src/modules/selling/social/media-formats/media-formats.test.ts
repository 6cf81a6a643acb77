/** Photos and videos are recognized by their own bytes (spec 2.9, 4.6, 8.2). */
import { describe, expect, test } from 'vitest'
import { exifSegment, jpegOf, jpegSegment, mp4Box, mp4Of } from '../../../../../test/support/post-files.ts'
import { describeFile } from './describe-file.ts'
import { publishingHints } from './publishing-hints.ts'

/** Returns the bytes in pieces that share one buffer, like files read from disk. */
const fileOf = (bytes: Buffer, pieceBytes = 7) => ({
  head: bytes.subarray(0, 4_096),
  async *pieces() {
    const buffer = Buffer.alloc(pieceBytes)
    for (let offset = 0; offset < bytes.length; offset += pieceBytes)
      yield buffer.subarray(0, bytes.copy(buffer, 0, offset, Math.min(bytes.length, offset + pieceBytes)))
  },
})
const describeBytes = (bytes: Buffer, pieceBytes?: number) => describeFile(fileOf(bytes, pieceBytes))

describe('a JPEG', () => {
  test.each([1, 7, 64_000])(
    'has the dimensions of its frame, read in pieces of %i bytes',
    async (pieceBytes) => {
      expect(await describeBytes(jpegOf({ width: 1200, height: 800 }), pieceBytes)).toEqual({
        kind: 'image',
        mime: 'image/jpeg',
        width: 1200,
        height: 800,
        components: 3,
      })
    },
  )

  test.each([0xc0, 0xc1, 0xc2])('may be baseline, extended or progressive (frame 0x%s)', async (frame) => {
    expect(await describeBytes(jpegOf({ frame }))).toMatchObject({ kind: 'image' })
  })

  test.each([0xc3, 0xc9, 0xcf])('of an unsupported kind is rejected (frame 0x%s)', async (frame) => {
    expect(await describeBytes(jpegOf({ frame }))).toBeUndefined()
  })

  test.each([
    [1, 'II', [1200, 800]],
    [3, 'MM', [1200, 800]],
    [6, 'II', [800, 1200]],
    [8, 'MM', [800, 1200]],
    [99, 'MM', [1200, 800]],
  ] as const)('with the orientation %i (%s) is %j', async (orientation, order, size) => {
    const bytes = jpegOf({ width: 1200, height: 800, before: [exifSegment(orientation, order)] })
    const { width, height } = (await describeBytes(bytes))!
    expect([width, height]).toEqual(size)
  })

  test('keeps its size after any segments before the frame', async () => {
    const before = [jpegSegment(0xe1, Buffer.from('Exif\0\0II')), jpegSegment(0xfe, Buffer.alloc(60_000))]
    expect(await describeBytes(jpegOf({ before }))).toMatchObject({ width: 1080, height: 1080 })
    expect(await describeBytes(jpegOf({ before: [Buffer.alloc(9, 0xff)] }))).toMatchObject({ width: 1080 })
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['only its first bytes', Buffer.from([0xff, 0xd8, 0xff])],
    ['no frame', Buffer.concat([Buffer.from([0xff, 0xd8]), jpegSegment(0xda, Buffer.alloc(10))])],
    ['a frame that is cut off', jpegOf().subarray(0, 26)],
    ['no width', jpegOf({ width: 0 })],
    ['no height', jpegOf({ height: 0 })],
    ['a segment shorter than its length', jpegOf({ before: [Buffer.from([0xff, 0xe2, 0, 1])] })],
    ['another start within', jpegOf({ before: [Buffer.from([0xff, 0xd8])] })],
    ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n0000000000', 'latin1')],
    ['a web page', Buffer.from('<!doctype html><title>photo.jpg</title>')],
  ])('with %s is rejected', async (_, bytes) => {
    expect(await describeBytes(bytes)).toBeUndefined()
  })

  test('with endless segments or fill bytes is rejected soon', async () => {
    let pieces = 0
    const endless = (piece: Buffer) => ({
      head: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), piece]),
      async *pieces() {
        yield Buffer.from([0xff, 0xd8])
        for (; ; pieces++) yield piece
      },
    })
    expect(await describeFile(endless(jpegSegment(0xe2, Buffer.alloc(2))))).toBeUndefined()
    expect(await describeFile(endless(Buffer.alloc(64, 0xff)))).toBeUndefined()
    expect(pieces).toBeLessThan(1_100)
  })
})

describe('a video', () => {
  test.each([1, 7, 64_000])(
    'has the dimensions and duration of its headers, read in pieces of %i bytes',
    async (pieceBytes) => {
      for (const version of [0, 1] as const)
        for (const filmFirst of [false, true])
          expect(await describeBytes(mp4Of({ version, filmFirst, seconds: 21 }), pieceBytes)).toEqual({
            kind: 'video',
            mime: 'video/mp4',
            width: 1080,
            height: 1920,
            durationSeconds: 21,
          })
    },
  )

  test('of a rotated camera is upright; MOV is distinguished from MP4', async () => {
    expect(
      await describeBytes(mp4Of({ width: 1920, height: 1080, turned: true, brand: 'qt  ' })),
    ).toMatchObject({
      mime: 'video/quicktime',
      width: 1080,
      height: 1920,
    })
  })

  test('may have a last box that extends to the end of the file, and boxes of 64-bit length', async () => {
    const whole = mp4Of({ filmFirst: false })
    const film = whole.indexOf('mdat') - 4
    const toTheEnd = Buffer.from(whole)
    toTheEnd.writeUInt32BE(0, film)
    expect(await describeBytes(toTheEnd)).toMatchObject({ kind: 'video' })
    const long = Buffer.alloc(16)
    long.writeUInt32BE(1)
    long.write('free', 4)
    long.writeBigUInt64BE(16n, 8)
    const ftyp = whole.subarray(0, 20)
    expect(await describeBytes(Buffer.concat([ftyp, long, whole.subarray(20)]))).toMatchObject({
      kind: 'video',
    })
  })

  test.each([
    ['only sound', mp4Of({ handler: 'soun' })],
    ['no size', mp4Of({ width: 0 })],
    ['no headers', Buffer.concat([mp4Of().subarray(0, 20), mp4Box('mdat', Buffer.alloc(90))])],
    ['headers that are cut off', mp4Of().subarray(0, 200)],
    [
      'a header larger than any',
      Buffer.concat([mp4Of().subarray(0, 20), mp4Box('mvhd', Buffer.alloc(5_000))]),
    ],
    [
      'a box shorter than its own header',
      Buffer.concat([mp4Of().subarray(0, 20), Buffer.from('\0\0\0\x04free')]),
    ],
  ])('with %s is rejected', async (_, bytes) => {
    expect(await describeBytes(bytes)).toBeUndefined()
  })

  test('with endless boxes is rejected', async () => {
    const bytes = Buffer.concat([mp4Of().subarray(0, 20), Buffer.alloc(8 * 20_000, mp4Box('free'))])
    expect(await describeBytes(bytes, 64_000)).toBeUndefined()
  })
})

describe('hints', () => {
  const photo = (options: Parameters<typeof jpegOf>[0]) => describeBytes(jpegOf(options)).then(hintsOf)
  const video = (options: Parameters<typeof mp4Of>[0]) => describeBytes(mp4Of(options)).then(hintsOf)
  const hintsOf = (file: Awaited<ReturnType<typeof describeFile>>) => publishingHints(file!).join(' ')

  test.each([
    [1080, 1080],
    [1080, 1350],
    [1080, 566],
    [320, 320],
    [1440, 1440],
  ])('%i × %i: none', async (width, height) => expect(await photo({ width, height })).toBe(''))

  test.each([
    [1080, 1351, /aspect ratio is 0\.80:1.*4:5.*1\.91:1/],
    [1080, 500, /aspect ratio is 2\.16:1/],
    [319, 319, /size is 319 × 319.*320/],
    [1441, 1441, /size is 1441 × 1441.*1440/],
  ])("%i × %i: the network's objection", async (width, height, words) => {
    expect(await photo({ width, height })).toMatch(words)
  })

  test('CMYK is named', async () => expect(await photo({ components: 4 })).toMatch(/CMYK/))

  test('of a video: upright is best, three seconds to fifteen minutes', async () => {
    expect(await video({})).toBe('')
    expect(await video({ width: 1920, height: 1080 })).toMatch(/9:16/)
    expect(await video({ width: 2160, height: 3840 })).toMatch(/1920 pixels/)
    expect(await video({ width: 1080, height: 100 })).toMatch(/0\.01:1 to 10:1/)
    expect(await video({ seconds: 2 })).toMatch(/duration is 2 seconds/)
    expect(await video({ seconds: 901 })).toMatch(/15 minutes/)
  })
})
