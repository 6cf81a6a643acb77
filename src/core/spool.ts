import type { Readable } from 'node:stream'

/** A file on this process's disk until it is closed; never completely in memory. */
export type SpooledFile = {
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
  /** Its first bytes, at most SPOOLED_HEAD_BYTES. */
  head: Buffer
  /** Opens the file from its beginning; may be called several times. */
  stream(): Readable
  /** Reads the file in one reused buffer, for callers that finish with a piece before they request the next. */
  pieces(): AsyncIterable<Buffer>
  /** Deletes the file. The death of the process deletes it too. */
  close(): Promise<void>
}

export const SPOOLED_HEAD_BYTES = 4096

/** A file that is being written. */
export type SpoolWriter = {
  readonly sizeBytes: number
  write(bytes: Uint8Array): Promise<void>
  /** Discards the bytes written so far. */
  restart(): void
  finish(): SpooledFile
  /** Deletes the unfinished file. */
  discard(): Promise<void>
}

/** Keeps files on disk between a sender and a receiver of different speeds. */
export type Spool = { open(): Promise<SpoolWriter> }

declare module './context.ts' {
  interface Outside {
    spool: Spool
  }
}
