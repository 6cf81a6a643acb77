/**
 * Limits running uploads (spec 4.2) with leased rows, so that the limit applies across processes, and the
 * place of a crashed process becomes free again.
 */
import { type Clock, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { UploadContext } from '../../../../core/upload.ts'
import { deleteUploadPlace, insertUploadPlace } from '../queries.ts'

/** Parallel uploads of a workspace, and how many of them may be files over LARGE_BYTES. */
const MAX_UPLOADS = 4
const MAX_LARGE_UPLOADS = 2
const LARGE_BYTES = 10 * 1024 * 1024

/** Longer than the longest request including the operator's answer. */
const LEASE_MS = 3 * MINUTE_MS
const RETRY_AFTER_SECONDS = 2

/** The most that a body may contain besides the file. */
const AROUND_BYTES = 1024

/**
 * Returns whether a body of this length can contain a file over 10 MB; a body of unknown length counts as
 * one.
 */
const isLargeUpload = (bodyBytes: number | null): boolean =>
  bodyBytes === null || ((bodyBytes - AROUND_BYTES) / 4) * 3 > LARGE_BYTES

/** Takes a place, or refuses with `uploads_in_progress`. Returns the function that frees the place. */
export async function takeUploadPlace(
  ctx: UploadContext,
  bodyBytes: number | null,
): Promise<() => Promise<void>> {
  const id = newId()
  const large = isLargeUpload(bodyBytes)
  const isTaken = await ctx.transaction((unit) =>
    insertPlace(unit.tx, ctx.clock, { workspaceId: ctx.workspace.id, id, large }),
  )
  if (!isTaken)
    throw new Refusal(
      'uploads_in_progress',
      `You can run at most ${MAX_UPLOADS} uploads at the same time, ${MAX_LARGE_UPLOADS} of them over 10 MB. Wait until one has finished.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    )
  return () => ctx.transaction((unit) => deleteUploadPlace(unit.tx, ctx.workspace.id, id))
}

const insertPlace = (tx: Tx, clock: Clock, place: { workspaceId: string; id: string; large: boolean }) => {
  const now = clock.now()
  return insertUploadPlace(tx, {
    ...place,
    now,
    leasedUntil: later(now, LEASE_MS),
    max: MAX_UPLOADS,
    maxLarge: MAX_LARGE_UPLOADS,
  })
}
