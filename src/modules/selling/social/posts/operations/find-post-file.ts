import type { Unit } from '../../../../../core/context.ts'
import type { LinkableFile } from '../../../../../media-store/port.ts'
import { keyOf } from '../../../../messaging/media/operations/store-key.ts'
import { findMediaRow, type MediaRow } from '../queries/media.ts'

const NAMES: Record<string, string> = {
  'image/jpeg': 'photo.jpg',
  'video/mp4': 'video.mp4',
  'video/quicktime': 'video.mov',
}

/** Returns a post's file in the form that links use. */
export const linkableFile = ({ workspaceId, id, mimeType }: MediaRow): LinkableFile => ({
  workspaceId,
  mediaId: id,
  key: keyOf(workspaceId, id),
  filename: NAMES[mimeType] ?? 'file',
  mimeType,
})

/** Returns a post's file by its id, if it is in the store. */
export async function findPostFile(
  unit: Unit,
  workspaceId: string,
  mediaId: string,
): Promise<(LinkableFile & { sizeBytes: number; sha256: string }) | undefined> {
  const row = await findMediaRow(unit, workspaceId, mediaId)
  return row?.state === 'stored'
    ? { ...linkableFile(row), sizeBytes: row.sizeBytes, sha256: row.sha256 }
    : undefined
}
