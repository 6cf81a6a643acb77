import type { Clock } from './clock.ts'
import type { Unit, Workspace } from './context.ts'

/** What may be looked at before an upload is read. */
export type UploadContext = {
  workspace: Workspace
  clock: Clock
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>
}

/** A file in base64 inside a JSON body, which is read as it arrives (docs/decisions/messages.md). */
export type UploadRule = {
  /** The field of the body that holds it. */
  field: string
  /** Bytes of file allowed; more is 413. */
  maxBytes: number
  /**
   * Takes a place among the uploads that run, before the body is read, or refuses. `bodyBytes` is what the request
   * says of its length, null when it says nothing. Answers what gives the place up again.
   */
  admit(ctx: UploadContext, bodyBytes: number | null): Promise<() => Promise<void>>
}
