/**
 * The interface of a source of the past: a file, or another tool. The engine (`operations/run-import.ts`) requests one batch after
 * another, stores each together with the position after it, and continues from there after a kill.
 */
import type { Readable } from 'node:stream'
import type { OutsideContext } from '../../../core/context.ts'
import type { PastContact, PastMessage, PastSource } from '../../messaging/messages/past/past-message.ts'

/** `place` names the record in its source, such as `line 12`, without any content. */
type Placed = { place: string }

export type HistoryRecord = Placed &
  (
    | ({ kind: 'message' } & PastMessage)
    /** Values fill what the contact lacks, and tags are added. */
    | { kind: 'contact'; contact: PastContact; attributes?: Record<string, unknown>; tags?: string[] }
    /** A note of the contact's chat, which its messages have started. */
    | {
        kind: 'note'
        externalId: string
        contact: PastContact
        createdAt: Date
        authorName: string
        body: string
      }
    | { kind: 'quick_reply'; shortcut: string; text: string }
  )

/** A record that is not stored. `cause` is a short name, such as `no_phone`, which the page explains. */
export type LeftOut = Placed & { kind: string; cause: string }

/** Causes that are counted but not listed, because every account has many such records and nothing can be done about them. */
export const UNLISTED_CAUSES = ['activity', 'deleted', 'empty']

/** At most 500 records. `read`: records of the source that the batch covers, for the progress. */
export type HistoryBatch = {
  records: HistoryRecord[]
  leftOut: LeftOut[]
  read: number
  /** JSON. */
  position: unknown
  done: boolean
  /** The number of records to read, if it is known by now. */
  total?: number | undefined
}

/** A source that is open. `next` calls the outside as it likes, because no transaction is open. */
export type OpenHistory = {
  /** Returns the batch after `position`; null: the first. Throws a `HistoryFault` if reading again would not help. */
  next(position: unknown): Promise<HistoryBatch>
  close(): Promise<void>
}

/** The bytes of an import's file, from any place. */
export type HistoryFile = {
  sizeBytes: number
  /** Opens the bytes from `start` to `end`, both included. */
  open(range?: { start: number; end: number }): Promise<Readable>
}

export type SourceTools = Pick<OutsideContext, 'workspace' | 'outside' | 'transaction' | 'clock'>

export type OpenedImport<Settings> = {
  importId: string
  phoneNumberId: string
  settings: Settings
  /** The token of the other tool, if the source has one. */
  secret: string | null
  file: HistoryFile | null
  /** Store nothing, not even files. */
  isDryRun: boolean
}

export type HistorySource<Settings = never> = {
  name: PastSource
  open(tools: SourceTools, opened: OpenedImport<Settings>): Promise<OpenHistory>
}

/** An error that a person must remove, such as a wrong token. The import stops with its message, and can be started again. */
export class HistoryFault extends Error {}
