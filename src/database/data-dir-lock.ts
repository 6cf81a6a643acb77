import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../core/make-folder.ts'
import { identifyProcess, isRunning, type ProcessIdentity, readOrUndefined } from './process-identity.ts'

/** The owner of the lock: a server, or a command that needs the database briefly. */
export type LockPurpose = 'server' | 'command'
export type LockOwner = ProcessIdentity & { purpose: LockPurpose }
export type DataDirLock = { release(): void }

/** A live process has already locked the data directory. */
export class DataDirInUse extends Error {
  readonly owner: LockOwner
  constructor(dataDir: string, owner: LockOwner) {
    super(
      `The data directory ${dataDir} is in use by another Parley (process ${owner.pid}). ` +
        'Stop that process first, or set PARLEY_DATA_DIR to another folder.',
    )
    this.name = 'DataDirInUse'
    this.owner = owner
  }
}

/**
 * Locks `<dataDir>/parley.lock` for this process and creates the folder if missing. Takes over the lock of a
 * dead process; throws DataDirInUse for a live one.
 */
export function lockDataDir(dataDir: string, purpose: LockPurpose = 'server'): DataDirLock {
  // Started by root, the database runs as another user, who must pass through the folder; secret files inside
  // are 0600.
  makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  const path = lockPath(dataDir)
  const content = JSON.stringify({ ...identifyProcess(process.pid), purpose })
  // The lock appears with its content in one step: it is written to a draft, then linked, which fails if the
  // name exists.
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
  try {
    while (!tryLink(draft, path)) {
      const owner = readOwner(path)
      if (owner && isRunning(owner)) throw new DataDirInUse(dataDir, owner)
      removeStaleLock(path, draft)
    }
  } finally {
    unlinkSync(draft)
  }
  return {
    release() {
      if (readOrUndefined(path) === content) unlinkIfExists(path)
    },
  }
}

/** Returns the live process that has locked the data directory, if any. */
export function dataDirOwner(dataDir: string): LockOwner | undefined {
  const owner = readOwner(lockPath(dataDir))
  return owner && isRunning(owner) ? owner : undefined
}

const lockPath = (dataDir: string) => join(dataDir, 'parley.lock')

// Between the check for a stale lock and its removal, another process may take it over. So both are repeated
// under a second lock, kept for microseconds and never across an await.
function removeStaleLock(path: string, draft: string): void {
  const guard = `${path}.takeover`
  if (!tryLink(draft, guard)) {
    const holder = readOwner(guard)
    if (!holder || !isRunning(holder)) unlinkIfExists(guard)
    return
  }
  try {
    const owner = readOwner(path)
    if (!owner || !isRunning(owner)) unlinkIfExists(path)
  } finally {
    unlinkIfExists(guard)
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as LockOwner
    return Number.isInteger(owner.pid) ? owner : undefined
  } catch {
    return undefined
  }
}

function unlinkIfExists(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
