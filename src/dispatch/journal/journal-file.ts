/**
 * One file of a journal. Writes are synchronous, so that an entry is with the system before what it speaks of happens: they take
 * a microsecond, because nothing is flushed to the disk. A killed process loses nothing of it.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { headerLine, type JournalHeader } from './journal-lines.ts'

export type JournalFile = {
  path: string
  fd: number
  /** Bytes of the header, and of everything. */
  headerBytes: number
  bytes: number
  /** Calls of which something may still be written. */
  open: number
  /** When the leases end that its lines speak of, in real milliseconds. */
  leases: Set<number>
  /** `void`: nobody will read it. `stuck`: it could neither be written nor be removed. `closed`: the next process reads it. */
  state: 'kept' | 'void' | 'stuck' | 'closed'
}

function writeWhole(fd: number, line: string, at: number): number {
  const bytes = Buffer.byteLength(line)
  const written = writeSync(fd, line, at)
  if (written < bytes) throw new Error(`only ${written} of ${bytes} bytes were written`)
  return written
}

/** Makes the file with its header. Throws where it cannot. */
export function createJournalFile(path: string, header: Omit<JournalHeader, 'inode'>): JournalFile {
  const fd = openSync(path, 'wx', 0o600)
  try {
    const inode = String(fstatSync(fd, { bigint: true }).ino)
    const headerBytes = writeWhole(fd, headerLine({ ...header, inode }), 0)
    return { path, fd, headerBytes, bytes: headerBytes, open: 0, leases: new Set(), state: 'kept' }
  } catch (error) {
    closeSync(fd)
    unlinkSync(path)
    throw error
  }
}

/** Appends one line; false where it could not, and from then on: the file is void. `onError` hears why. */
export function appendLine(file: JournalFile, line: string, onError: (error: unknown) => void): boolean {
  if (file.state !== 'kept') return false
  try {
    file.bytes += writeWhole(file.fd, line, file.bytes)
    return true
  } catch (error) {
    discard(file)
    onError(error)
    return false
  }
}

/** Removes the file, or empties it: nothing of it is needed any more, or it lacks entries and must not be read. */
export function discard(file: JournalFile): void {
  if (file.state !== 'kept') return
  file.state =
    attempt(() => unlinkSync(file.path)) || attempt(() => ftruncateSync(file.fd, 0)) ? 'void' : 'stuck'
  attempt(() => closeSync(file.fd))
}

/** Forgets entries that need not be read any more. */
export function empty(file: JournalFile, onError: (error: unknown) => void): void {
  if (file.state !== 'kept' || file.bytes === file.headerBytes) return
  try {
    ftruncateSync(file.fd, file.headerBytes)
    file.bytes = file.headerBytes
    file.leases.clear()
  } catch (error) {
    discard(file)
    onError(error)
  }
}

/** Closes the file and leaves it to the next process: nothing more is written, and no call of it begins. */
export function leave(file: JournalFile): void {
  if (file.state === 'kept') attempt(() => closeSync(file.fd))
  file.state = 'closed'
}

function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
