import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MINUTE_MS, realMs } from '../core/clock.ts'
import { makeFolder } from '../core/make-folder.ts'
import { type ByteRange, checkedKey, type MediaStore } from './port.ts'

/** Where files are written until they are whole; no key has a dot. */
const DRAFTS = '.unfinished'
/** Nobody writes to a draft any more that was not written to for so long: its process died. */
const ABANDONED_MS = 10 * MINUTE_MS
const SWEEP_EVERY_MS = 10 * MINUTE_MS

/**
 * Keeps files under `folder`, each in its own place, written elsewhere first: a file is there whole or not at all, also
 * after a power cut. Several processes may share the folder. What a dying process leaves unfinished is removed within the hour.
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
      for (const one of [parent, drafts]) makeFolder(one, 0o700)
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

/** Another process may remove the same. */
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

// The name of a new file is part of its folder, which has to reach the disk too.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
