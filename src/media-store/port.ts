import type { Readable } from 'node:stream'

/** Bytes to keep. Both ways open them from the beginning; a piece is valid until the next is asked for. */
export type StoredBytes = {
  stream(): Readable
  pieces(): AsyncIterable<Buffer>
  sizeBytes: number
  mimeType: string
}

/** From `start` to `end`, both included, as in a Range header. */
export type ByteRange = { start: number; end: number }

/** How a file is handed to whoever opens a link to it: the two headers as they are to be said, and for how long. */
export type LinkedFile = { key: string; contentType: string; disposition: string; seconds: number }

/** A file of a workspace that is in the store. */
export type LinkableFile = {
  workspaceId: string
  mediaId: string
  key: string
  filename: string
  mimeType: string
}

/** Where the bytes of files lie. Keys are path segments of letters, digits, `-` and `_`, separated by `/`. */
export type MediaStore = {
  /** Keeps the bytes under `key` in place of what was there. They are durable when it resolves. */
  put(key: string, bytes: StoredBytes): Promise<void>
  /** The bytes under `key`, or a part of them; undefined when there are none. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes what is under `key`; nothing there is fine. */
  delete(key: string): Promise<void>
  /** A link to the store itself that anybody may open for a while; a store without it is served by us. */
  link?(file: LinkedFile): Promise<string>
  /** Fails, saying why, when the store cannot be used. */
  check(): Promise<void>
  close(): Promise<void>
}

const KEY = /^[\w-]+(\/[\w-]+)*$/

/** The key, unless it is none: a store never leaves its place. */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error('not a key of the media store')
  return key
}

declare module '../core/context.ts' {
  interface Outside {
    mediaStore: MediaStore
    /** A link to a file that anybody may open for so many seconds; `expiresAt` is their end in the workspace's time. */
    linkToFile(file: LinkableFile, life: { expiresAt: Date; seconds: number }): Promise<string>
  }
}
