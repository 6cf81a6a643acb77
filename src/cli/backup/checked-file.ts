import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../core/make-folder.ts'

/** A file's size on disk and its SHA-256 in hexadecimal. */
export type Contents = { bytes: number; sha256: string }

/** Writes the output of `parts` to a new file and syncs it to disk; only its owner may read it. */
export async function writeChecked(path: string, ...parts: [Readable, ...Transform[]]): Promise<Contents> {
  makeFolder(dirname(path), 0o700)
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline([
    ...parts,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  ]).catch((error: NodeJS.ErrnoException) => {
    // The system's error about a full disk does not name the disk.
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error
    throw new Error(
      `${path} can't be written (${error.code}). The disk is full, and the backup isn't complete.`,
    )
  })
  return { bytes, sha256: hash.digest('hex') }
}

/** Throws, naming the file, unless it has exactly the written content. */
export async function verify(path: string, expected: Contents): Promise<void> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    throw new Error(
      `${path} can't be read (${(error as NodeJS.ErrnoException).code}). The backup isn't complete.`,
    )
  }
  if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256)
    throw new Error(
      `${path} is damaged: its checksum differs from the manifest. Restore from another backup.`,
    )
}

/** Syncs a folder: the names in it are durable only after that. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
