import type { Unit } from '../../../core/context.ts'
import { isUuid } from '../../../core/ids.ts'
import type { MediaKind } from '../../../operator/media-types.ts'
import { listNumbers } from '../../workspaces/operations/phone-numbers.ts'
import { listNamedMedia } from '../queries.ts'

/** A file that a message is about to carry. */
export type SendableMedia = {
  /** What the operator knows it by. */
  operatorId: string
  kind: MediaKind
  mimeType: string
  filename: string | null
  sizeBytes: number | null
  /** The business account that holds it; undefined where its number is no longer connected. */
  accountId: string | undefined
  /** In the workspace's time: from then on the operator no longer knows it (spec 8.2). */
  expiresAt: Date
}

/**
 * The files behind media ids, in the order of `keys`: the operator's ids, as `POST /media` answers them, and ours, which
 * customers' messages carry. No statement without keys. Undefined for an id that the workspace was never given.
 */
export async function findMediaForSend(
  unit: Unit,
  keys: { workspaceId: string; mediaId: string }[],
): Promise<(SendableMedia | undefined)[]> {
  if (keys.length === 0) return []
  const rows = await listNamedMedia(
    unit,
    keys.map(({ workspaceId, mediaId }) => ({
      workspaceId,
      operatorId: mediaId,
      id: isUuid(mediaId) ? mediaId : null,
    })),
  )
  if (rows.length === 0) return keys.map(() => undefined)
  const numbers = await listNumbers(unit, [...new Set(rows.map((row) => row.workspaceId))])
  const accounts = new Map(numbers.map(({ id, accountId }) => [id, accountId]))
  const byPlace = new Map(
    rows.map(({ place, operatorId, kind, mimeType, filename, sizeBytes, phoneNumberId, expiresAt }) => [
      place,
      {
        operatorId,
        kind,
        mimeType,
        filename,
        sizeBytes,
        accountId: accounts.get(phoneNumberId),
        expiresAt,
      },
    ]),
  )
  return keys.map((_, place) => byPlace.get(place))
}
