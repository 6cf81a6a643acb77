import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ByteRange, checkedKey, type MediaStore } from './port.ts'

/**
 * Keeps files under `folder`, each in its own place, written beside it first: a file is there whole or not at all, also
 * after a power cut. Several processes may share the folder.
 */
export function createDiskStore(folder: string): MediaStore {
  const pathOf = (key: string): string => join(folder, checkedKey(key))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const parent = dirname(path)
      await mkdir(parent, { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomUUID()}.part`
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          for await (const piece of bytes.pieces()) await file.writeFile(piece)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
        await syncFolder(parent)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async open(key, range) {
      return openFile(pathOf(key), range)
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    close: async () => {},
  }
}

async function openFile(path: string, range: ByteRange | undefined) {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return file && createReadStream('', { fd: file, ...range })
}

// The name of a new file is part of its folder, which has to reach the disk too.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
