import type { Clock } from './clock.ts'
import type { Unit, Workspace } from './context.ts'

/** The values that can be checked before an upload is read. */
export type UploadContext = {
  workspace: Workspace
  clock: Clock
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>
}

/**
 * A file in base64 inside a JSON body, which is read while it arrives
 * (src/modules/messaging/messages/DECISIONS.md).
 */
export type UploadRule = {
  /** The field of the body that contains the file. */
  field: string
  /** Maximum bytes of the file; a larger one is 413. */
  maxBytes: number
  /**
   * Takes a place among the running uploads before the body is read, or refuses. `bodyBytes` is the declared length of the
   * request, null if it declares none. Returns a function that gives the place up.
   */
  admit(ctx: UploadContext, bodyBytes: number | null): Promise<() => Promise<void>>
}
