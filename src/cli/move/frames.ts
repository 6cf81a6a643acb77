/**
 * The format of a moved workspace in a file: a sequence of frames, compressed. A frame is a type (one byte), a length (four bytes),
 * and that many bytes. The last frame has the SHA-256 of all frames before it.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { sameHash } from '../../core/values/api-key.ts'
import { writeChecked } from '../backup/checked-file.ts'

const JSON_FRAME = 1
const BYTES_FRAME = 2
const END_FRAME = 3
const HEAD_BYTES = 5
/** A longer frame is not ours. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024

export type Frame = { type: 'json'; value: unknown } | { type: 'bytes'; bytes: Buffer }

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

function frame(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(type, 0)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

async function* encoded(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const item of frames) {
    const bytes =
      item.type === 'json'
        ? frame(JSON_FRAME, Buffer.from(JSON.stringify(item.value)))
        : frame(BYTES_FRAME, item.bytes)
    hash.update(bytes)
    yield bytes
  }
  yield frame(END_FRAME, hash.digest())
}

/** Writes the frames to a new file, which only its owner may read. */
export async function writeFrames(path: string, frames: AsyncIterable<Frame>): Promise<void> {
  await writeChecked(path, Readable.from(encoded(frames), { objectMode: false }), createZstdCompress(ZSTD))
}

const damaged = (path: string): Error =>
  new Error(`${path} is damaged or isn't a moved workspace. Nothing was loaded.`)

/** Reads the frames of a file. Throws if the file is damaged; all frames are read only then. */
export async function* readFrames(path: string): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)
  let isComplete = false
  try {
    for await (const chunk of decompressed(path)) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (;;) {
        if (rest.length < HEAD_BYTES) break
        const [type, length] = [rest.readUInt8(0), rest.readUInt32BE(1)]
        if (length > MAX_FRAME_BYTES) throw damaged(path)
        if (rest.length < HEAD_BYTES + length) break
        const bytes = rest.subarray(HEAD_BYTES, HEAD_BYTES + length)
        if (type === END_FRAME) {
          isComplete = sameHash(bytes, hash.digest())
          break
        }
        hash.update(rest.subarray(0, HEAD_BYTES + length))
        rest = rest.subarray(HEAD_BYTES + length)
        yield type === JSON_FRAME
          ? { type: 'json', value: JSON.parse(bytes.toString('utf8')) }
          : { type: 'bytes', bytes: Buffer.from(bytes) }
      }
      if (isComplete) break
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES') throw new Error(`${path} can't be read (${code}).`)
    if (error instanceof SyntaxError || String(code).startsWith('ZSTD') || String(code).startsWith('Z_'))
      throw damaged(path)
    throw error
  }
  if (!isComplete) throw damaged(path)
}

async function* decompressed(path: string): AsyncGenerator<Buffer> {
  const decompress = createZstdDecompress()
  const running = pipeline(createReadStream(path), decompress)
  running.catch(() => {})
  yield* decompress as AsyncIterable<Buffer>
  await running
}
