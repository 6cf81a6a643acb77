import type { Readable } from 'node:stream'

/** Bytes to store. Both functions open them from the start; a chunk is valid until the next is requested. */
export type StoredBytes = {
  stream(): Readable
  pieces(): AsyncIterable<Buffer>
  sizeBytes: number
  mimeType: string
}

/** From `start` to `end`, both included, as in a Range header. */
export type ByteRange = { start: number; end: number }

/** A file as served by a link: the values of its two headers, and the lifetime of the link. */
export type LinkedFile = { key: string; contentType: string; disposition: string; seconds: number }

/** A file of a workspace that is in the store. */
export type LinkableFile = {
  workspaceId: string
  mediaId: string
  key: string
  filename: string
  mimeType: string
}

/** The storage of files' bytes. Keys are path segments of letters, digits, `-`, and `_`, separated by `/`. */
export type MediaStore = {
  /** Stores the bytes under `key` and replaces earlier ones. They are durable when it resolves. */
  put(key: string, bytes: StoredBytes): Promise<void>
  /** Returns the bytes under `key`, or a part of them; undefined if there are none. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Deletes the file under `key`, if any. */
  delete(key: string): Promise<void>
  /**
   * Returns a link to the store itself that works without credentials for a while. Files of a store without
   * it are served by Parley.
   */
  link?(file: LinkedFile): Promise<string>
  /** Rejects with the reason if the store cannot be used. */
  check(): Promise<void>
  close(): Promise<void>
}

const KEY = /^[\w-]+(\/[\w-]+)*$/

/** Returns the key if it is valid; an invalid key could leave the store's folder. */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error('not a key of the media store')
  return key
}

declare module '../core/context.ts' {
  interface Outside {
    mediaStore: MediaStore
    /**
     * Returns a link to a file that works without credentials for `seconds`; `expiresAt` is its end in the
     * workspace's time.
     */
    linkToFile(file: LinkableFile, life: { expiresAt: Date; seconds: number }): Promise<string>
  }
}
