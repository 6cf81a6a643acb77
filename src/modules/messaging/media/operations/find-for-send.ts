import type { Unit } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { MediaKind } from '../../../../operator/media-types.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { listNamedMedia } from '../queries.ts'

/** A file in a message that is about to be sent. */
export type SendableMedia = {
  /** The operator's id of the file. */
  operatorId: string
  kind: MediaKind
  mimeType: string
  filename: string | null
  sizeBytes: number | null
  /** The business account that has it; undefined if its number is no longer connected. */
  accountId: string | undefined
  /** In the workspace's time: after this the operator no longer knows the file (spec 8.2). */
  expiresAt: Date
}

/**
 * Returns the files of media ids, in the order of `keys`: the operator's ids, as `POST /media` returns them,
 * and ours, as in customers' messages. Runs no statement without keys. Undefined for an id that the workspace
 * never received.
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
