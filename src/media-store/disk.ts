import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MINUTE_MS, realMs } from '../core/clock.ts'
import { makeFolder } from '../core/make-folder.ts'
import { type ByteRange, checkedKey, type MediaStore } from './port.ts'

/** The folder for incomplete files; no key contains a dot. */
const DRAFTS = '.unfinished'
/** A draft not written to for this long is abandoned: its process died. */
const ABANDONED_MS = 10 * MINUTE_MS
const SWEEP_EVERY_MS = 10 * MINUTE_MS

/**
 * Stores files under `folder`. Each is written as a draft first, so a file is complete or absent, also after
 * a power failure. Several processes may share the folder. Drafts of dead processes are removed within the
 * hour.
 */
export function createDiskStore(folder: string): MediaStore {
  const pathOf = (key: string): string => join(folder, checkedKey(key))
  const drafts = join(folder, DRAFTS)
  const sweep = () => sweepDrafts(drafts).catch(() => {})
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref()
  void sweep()
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const parent = dirname(path)
      for (const folder of [parent, drafts]) makeFolder(folder, 0o700)
      const draft = join(drafts, randomUUID())
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
      makeFolder(folder, 0o700)
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    close: async () => clearInterval(sweeping),
  }
}

/** Removes abandoned drafts; another process may do so concurrently. */
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const draft = join(folder, name)
    const writtenMs = (await stat(draft).catch(() => undefined))?.mtimeMs
    if (writtenMs !== undefined && realMs() - writtenMs > ABANDONED_MS) await rm(draft, { force: true })
  }
}

async function openFile(path: string, range: ByteRange | undefined) {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return file && createReadStream('', { fd: file, ...range })
}

// A new file's name is part of its folder, which must be flushed to disk too.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
