import type { Readable } from 'node:stream'

/** A file that lies on the disk of this process until it is closed; never in memory as a whole. */
export type SpooledFile = {
  sizeBytes: number
  /** Hex. */
  sha256: string
  /** Its first bytes, at most SPOOLED_HEAD_BYTES. */
  head: Buffer
  /** Opens its bytes from the beginning, as often as wanted. */
  stream(): Readable
  /** The same for whoever is done with each piece before asking for the next: all come in one buffer. */
  pieces(): AsyncIterable<Buffer>
  /** Removes it. A process that dies removes it too. */
  close(): Promise<void>
}

export const SPOOLED_HEAD_BYTES = 4096

/** A file being written. */
export type SpoolWriter = {
  readonly sizeBytes: number
  write(bytes: Uint8Array): Promise<void>
  /** Forgets what was written so far. */
  restart(): void
  finish(): SpooledFile
  /** Removes it unfinished. */
  discard(): Promise<void>
}

/** Where files wait between two ends that are not equally fast. */
export type Spool = { open(): Promise<SpoolWriter> }

declare module './context.ts' {
  interface Outside {
    spool: Spool
  }
}
