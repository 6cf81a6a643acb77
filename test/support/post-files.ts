/** Photos and videos for posts that consist mainly of headers, and an https host that serves them. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority } from './certificates.ts'

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Returns a segment of a JPEG: marker, length, contents. */
export const jpegSegment = (marker: number, contents: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(contents.length + 2), contents])

/** Returns an Exif segment with the orientation of the camera. */
export function exifSegment(orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const shortBytes = (value: number) => (order === 'MM' ? u16(value) : u16(value).reverse())
  const longBytes = (value: number) => (order === 'MM' ? u32(value) : u32(value).reverse())
  const entry = [shortBytes(0x0112), shortBytes(3), longBytes(1), shortBytes(orientation), shortBytes(0)]
  const tiff = [Buffer.from(order), shortBytes(42), longBytes(8), shortBytes(1), ...entry, longBytes(0)]
  return jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), ...tiff]))
}

export type JpegOptions = {
  width?: number
  height?: number
  components?: number
  /** 0xc0 baseline, 0xc2 progressive … */
  frame?: number
  /** Segments before the frame. */
  before?: Buffer[]
  /** Minimum size of the file in bytes. */
  bytes?: number
}

/** Returns a JPEG with only its headers. */
export function jpegOf(options: JpegOptions = {}): Buffer {
  const { width = 1080, height = 1080, components = 3, frame = 0xc0, before = [], bytes = 0 } = options
  const header = Buffer.concat([
    Buffer.from([8]),
    u16(height),
    u16(width),
    Buffer.from([components]),
    Buffer.alloc(components * 3),
  ])
  const jpeg = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...before,
    jpegSegment(frame, header),
    jpegSegment(0xda, Buffer.alloc(10)),
    Buffer.from([0x12, 0x34, 0xff, 0xd9]),
  ])
  return Buffer.concat([jpeg, Buffer.alloc(Math.max(0, bytes - jpeg.length), 7)])
}

/** Returns an MP4 box: length, type, contents. */
export const mp4Box = (type: string, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

export type Mp4Options = {
  width?: number
  height?: number
  seconds?: number
  brand?: string
  /** Rotated by 90 degrees. */
  turned?: boolean
  /** Handler of the track. */
  handler?: string
  /** Bytes of media data, and whether they precede the headers. */
  filmBytes?: number
  filmFirst?: boolean
  /** Version of the headers: version 1 has 64-bit times. */
  version?: 0 | 1
}

const fixedOne = u32(0x00010000)
const zero = u32(0)

/** Returns an MP4 with only its headers. */
export function mp4Of(options: Mp4Options = {}): Buffer {
  const { width = 1080, height = 1920, seconds = 12, brand = 'isom', turned, handler = 'vide' } = options
  const { filmBytes = 1_000, filmFirst = false, version = 0 } = options
  const long = version === 1
  const flags = Buffer.from([version, 0, 0, 0])
  const times = Buffer.alloc(long ? 16 : 8)
  const duration = long ? Buffer.concat([zero, u32(seconds * 1_000)]) : u32(seconds * 1_000)
  const matrix = turned
    ? [zero, fixedOne, zero, u32(0xffff0000), zero, zero, zero, zero, u32(0x40000000)]
    : [fixedOne, zero, zero, zero, fixedOne, zero, zero, zero, u32(0x40000000)]
  const tkhd = [flags, times, u32(1), zero, duration, Buffer.alloc(16), ...matrix]
  const track = mp4Box(
    'trak',
    mp4Box('tkhd', ...tkhd, u32(width << 16), u32(height << 16)),
    mp4Box('mdia', mp4Box('hdlr', zero, zero, Buffer.from(handler), Buffer.alloc(13))),
  )
  const mvhd = mp4Box('mvhd', flags, times, u32(1_000), duration, Buffer.alloc(80))
  const sound = mp4Box(
    'trak',
    mp4Box('mdia', mp4Box('hdlr', zero, zero, Buffer.from('soun'), Buffer.alloc(13))),
  )
  const ftyp = mp4Box('ftyp', Buffer.from(brand, 'latin1'), zero, Buffer.from(brand, 'latin1'))
  const film = mp4Box('mdat', Buffer.alloc(filmBytes, 5))
  const moov = mp4Box('moov', mvhd, sound, track)
  return Buffer.concat(filmFirst ? [ftyp, film, moov] : [ftyp, moov, film])
}

export type FileAnswer = (response: ServerResponse, request: IncomingMessage) => void

/** Starts an https host for files. The service trusts its certificate only with the returned `env`. */
export async function makeFileHost() {
  const authority = await makeAuthority()
  const certificate = await authority.issue('localhost')
  const folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.ca)
  const answers = new Map<string, FileAnswer>()
  const requests: IncomingMessage[] = []
  const server = createServer(certificate, (request, response) => {
    requests.push(request)
    const answer = answers.get(request.url ?? '')
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let files = 0

  return {
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8,::1/128', PARLEY_EGRESS_CA: caFile },
    /** All requests so far. */
    asked: requests,
    /** Serves an answer at a new address; bytes are served as a file of type image/jpeg. */
    serve(answer: FileAnswer | Buffer): string {
      const path = `/file-${++files}`
      answers.set(
        path,
        Buffer.isBuffer(answer)
          ? (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(answer)
          : answer,
      )
      return `https://localhost:${port}${path}`
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
