import { Refusal } from '../core/errors.ts'
import type { Destination } from '../core/moving.ts'

/** The error code of `require_open` in the database. */
const FENCED = 'PM001'
/** A move pauses a workspace for seconds. */
const RETRY_AFTER_SECONDS = 5

/** Returns the refusal for a transaction that the fence of a move has stopped; undefined for other faults. */
export function movingRefusal(fault: unknown): Refusal | undefined {
  if (!(fault instanceof Error)) return undefined
  const { code, detail } = fault as Error & { code?: unknown; detail?: unknown }
  if (code !== FENCED) return undefined
  if (typeof detail !== 'string' || detail === '')
    return new Refusal('workspace_moving', 'The workspace is moving to another cell. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  const { cell, address } = JSON.parse(detail) as Destination
  return new Refusal(
    'workspace_moved',
    `The workspace moved to ${address ?? `the cell ${cell}`}. Send requests there, with the same key.`,
    { cell, ...(address === null ? {} : { address }) },
  )
}
