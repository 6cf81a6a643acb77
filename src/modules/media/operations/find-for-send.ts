import type { Unit } from '../../../core/context.ts'
import type { MediaKind } from '../../../operator/media-types.ts'
import { listMediaByOperatorId } from '../queries.ts'

/** A file that a message is about to carry. */
export type SendableMedia = {
  mediaId: string
  kind: MediaKind
  mimeType: string
  filename: string | null
  sizeBytes: number | null
  /** The number whose account holds it. */
  phoneNumberId: string
  /** In the workspace's time: from then on the operator no longer knows it (spec 8.2). */
  expiresAt: Date
}

/**
 * What we know of the media ids that messages carry, in the order of `keys`. One statement. Undefined for an id that
 * did not come through `POST /media` or with a customer's message: it may be the operator's own.
 */
export async function findMediaForSend(
  unit: Unit,
  keys: { workspaceId: string; mediaId: string }[],
): Promise<(SendableMedia | undefined)[]> {
  if (keys.length === 0) return []
  const rows = await listMediaByOperatorId(
    unit,
    keys.map(({ workspaceId, mediaId }) => ({ workspaceId, operatorId: mediaId })),
  )
  const known = new Map(
    rows.map((row) => [
      `${row.workspaceId} ${row.operatorId}`,
      {
        mediaId: row.operatorId as string,
        kind: row.kind,
        mimeType: row.mimeType,
        filename: row.filename,
        sizeBytes: row.sizeBytes,
        phoneNumberId: row.phoneNumberId,
        expiresAt: row.expiresAt,
      },
    ]),
  )
  return keys.map(({ workspaceId, mediaId }) => known.get(`${workspaceId} ${mediaId}`))
}
