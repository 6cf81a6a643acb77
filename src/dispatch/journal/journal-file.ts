/**
 * One file of a journal. Writes are synchronous, so the system has an entry before the call that it
 * announces. They take a microsecond because they are not flushed to disk; a killed process loses none of
 * them.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { headerLine, type JournalHeader } from './journal-lines.ts'

export type JournalFile = {
  path: string
  fd: number
  /** Bytes of the header, and of the whole file. */
  headerBytes: number
  bytes: number
  /** Calls for which more entries may be written. */
  open: number
  /** The lease ends that its lines name, in real milliseconds. */
  leases: Set<number>
  /**
   * `void`: no process will read it. `stuck`: it can be neither written nor removed. `closed`: the next
   * process reads it.
   */
  state: 'kept' | 'void' | 'stuck' | 'closed'
}

function writeWhole(fd: number, line: string, position: number): number {
  const bytes = Buffer.byteLength(line)
  const written = writeSync(fd, line, position)
  if (written < bytes) throw new Error(`only ${written} of ${bytes} bytes were written`)
  return written
}

/** Creates the file with its header. Throws if that fails. */
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

/**
 * Appends one line. On failure it returns false, now and from then on, voids the file, and calls `onError`.
 */
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

/** Removes or empties the file, because its entries are no longer needed or are incomplete. */
export function discard(file: JournalFile): void {
  if (file.state !== 'kept') return
  file.state =
    attempt(() => unlinkSync(file.path)) || attempt(() => ftruncateSync(file.fd, 0)) ? 'void' : 'stuck'
  attempt(() => closeSync(file.fd))
}

/** Removes entries that are no longer needed. */
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

/** Closes the file for the next process: no more entries are written, and none of its calls starts. */
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
