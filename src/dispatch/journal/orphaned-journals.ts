/** Takes over the journals of dead processes that used the same folder, boot, and database. */
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/clock.ts'
import type { CallJournal } from './call-journal.ts'
import { type LeftCall, MAX_HEADER_BYTES, readCalls, readHeader } from './journal-lines.ts'
import { holderOfSocket, socketOf } from './process-name.ts'

/** A journal that now belongs to this process alone. */
export type LeftJournal = {
  path: string
  /**
   * The dead processes whose leases have ended: the writer, and the last process that took the journal over.
   */
  holders: string[]
  calls: LeftCall[]
}

const NAME = /^([0-9a-f-]{36})-\d+\.journal$/
/** Files that belong to no process of this boot are removed after this long. */
const KEPT_MS = DAY_MS
/** No process writes a larger file. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Takes over each journal it can by a rename, in which only one process succeeds. Leaves journals of another
 * machine, boot, database, or file, and those of a process that may be alive.
 */
export async function adoptJournals(journal: CallJournal, now: Date): Promise<LeftJournal[]> {
  const names = await readdir(journal.folder)
  const checkProcess = memoized((holder: string) => journal.self.isAlive(holder))
  const left: LeftJournal[] = []
  for (const name of names) {
    const holder = NAME.exec(name)?.[1]
    if (holder === undefined || holder === journal.self.name) continue
    const path = join(journal.folder, name)
    const writer = await writerOf(journal, path)
    if (writer !== undefined && (await checkProcess(holder)) === 'dead') {
      const adopted = await adopt(journal, path, [...new Set([writer, holder])])
      if (adopted) left.push(adopted)
    } else if (writer === undefined || (await checkProcess(holder)) === 'unknown') await removeOld(path, now)
  }
  await removeSockets(journal, checkProcess, now)
  return left
}

/** Removes a journal that has been processed. */
export const dropJournal = ({ path }: LeftJournal): Promise<void> => rm(path, { force: true })

type ProcessCheck = (holder: string) => Promise<'alive' | 'dead' | 'unknown'>

function memoized(check: ProcessCheck): ProcessCheck {
  const results = new Map<string, ReturnType<ProcessCheck>>()
  return (holder) => {
    const found = results.get(holder) ?? check(holder)
    results.set(holder, found)
    return found
  }
}

/** Returns the writer of a journal; undefined if the journal cannot be trusted here. */
async function writerOf({ boot, database }: CallJournal, path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    const { ino, size } = await file.stat({ bigint: true })
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_HEADER_BYTES), position: 0 })
    const header = readHeader(buffer.toString('utf8', 0, bytesRead))
    // A copy of the folder has other inodes: its entries describe the process that uses the original.
    const isTrueHere =
      header?.boot === boot &&
      header.database === database &&
      header.inode === String(ino) &&
      size <= MAX_BYTES
    return isTrueHere ? header?.holder : undefined
  } finally {
    await file.close()
  }
}

async function adopt(
  journal: CallJournal,
  from: string,
  holders: string[],
): Promise<LeftJournal | undefined> {
  const path = journal.nextPath()
  try {
    await rename(from, path)
  } catch (error) {
    // Another process took it first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const calls = readCalls(await readFile(path, 'utf8')) ?? []
  journal.avoid(calls.map(({ leasedUntil }) => leasedUntil.getTime()))
  return { path, holders, calls }
}

async function removeOld(path: string, now: Date): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && now.getTime() - found.mtimeMs > KEPT_MS) await rm(path, { force: true })
}

/** Removes sockets of dead processes that have no journal. */
async function removeSockets(
  { folder, self }: CallJournal,
  checkProcess: ProcessCheck,
  now: Date,
): Promise<void> {
  const names = await readdir(folder)
  const used = new Set(names.flatMap((name) => NAME.exec(name)?.[1] ?? []))
  for (const name of names) {
    const holder = holderOfSocket(name)
    if (holder === undefined) continue
    if (name !== socketOf(holder)) await removeOld(join(folder, name), now)
    else if (holder !== self.name && !used.has(holder) && (await checkProcess(holder)) === 'dead')
      await rm(join(folder, name), { force: true })
  }
}
