import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder } from '../core/make-folder.ts'
import { SPOOLED_HEAD_BYTES, type Spool, type SpooledFile } from '../core/spool.ts'

const CHUNK_BYTES = 64 * 1024

/**
 * Keeps temporary files in `folder` without a name: each is unlinked as soon as it is open, so its space is
 * freed however the process ends.
 */
export function createSpool(folder: string): Spool {
  return {
    async open() {
      makeFolder(folder)
      const path = join(folder, randomUUID())
      const file = await open(path, 'wx+', 0o600)
      await unlink(path)
      return writerOf(file)
    },
  }
}

function writerOf(file: FileHandle) {
  let sizeBytes = 0
  let hash = createHash('sha256')
  let head = Buffer.alloc(0)
  return {
    get sizeBytes() {
      return sizeBytes
    },
    async write(bytes: Uint8Array): Promise<void> {
      hash.update(bytes)
      if (head.length < SPOOLED_HEAD_BYTES)
        head = Buffer.concat([head, bytes.subarray(0, SPOOLED_HEAD_BYTES - head.length)])
      for (let written = 0; written < bytes.byteLength; ) {
        const { bytesWritten } = await file.write(
          bytes,
          written,
          bytes.byteLength - written,
          sizeBytes + written,
        )
        written += bytesWritten
      }
      sizeBytes += bytes.byteLength
    },
    restart(): void {
      sizeBytes = 0
      hash = createHash('sha256')
      head = Buffer.alloc(0)
    },
    finish: (): SpooledFile => ({
      sizeBytes,
      sha256: hash.digest('hex'),
      head,
      stream: () => Readable.from(bytesOf(file, sizeBytes, newBuffer), { objectMode: false }),
      pieces: () => {
        const buffer = newBuffer()
        return bytesOf(file, sizeBytes, () => buffer)
      },
      close: () => file.close(),
    }),
    discard: () => file.close(),
  }
}

const newBuffer = (): Buffer => Buffer.allocUnsafe(CHUNK_BYTES)

async function* bytesOf(file: FileHandle, sizeBytes: number, next: () => Buffer): AsyncGenerator<Buffer> {
  for (let position = 0; position < sizeBytes; ) {
    const chunk = next()
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, sizeBytes - position), position)
    if (bytesRead === 0) throw new Error('a spooled file is shorter than it was')
    position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
