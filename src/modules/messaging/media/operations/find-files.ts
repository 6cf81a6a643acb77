import type { Context, Unit } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { LinkableFile } from '../../../../media-store/port.ts'
import { nameFor } from '../filename.ts'
import {
  findMediaOfMessage,
  findMediaRow,
  listMediaByOperatorId,
  listNamedMedia,
  type MediaRow,
} from '../queries.ts'
import { keyOf } from './store-key.ts'

/** A file in the store. */
export type StoredFile = LinkableFile & { sizeBytes: number; sha256: string }

/** The stored state of a message's file. */
export type MessageFile =
  | { state: 'stored'; file: StoredFile }
  | { state: 'pending' }
  | { state: 'failed'; failure: string }

function storedFile(row: MediaRow): StoredFile {
  return {
    workspaceId: row.workspaceId,
    mediaId: row.id,
    key: keyOf(row.workspaceId, row.id),
    filename: row.filename ?? nameFor(row.kind, row.mimeType),
    mimeType: row.mimeType,
    sizeBytes: row.sizeBytes ?? 0,
    sha256: row.sha256 ?? '',
  }
}

/** Returns the file of a customer's message, or our upload with the operator's id in a sent message. */
export async function findFileOfMessage(
  ctx: Context,
  message: { id: string; mediaId: string | undefined },
): Promise<MessageFile | undefined> {
  const received = await findMediaOfMessage(ctx.tx, ctx.workspace.id, message.id)
  const sent =
    received === undefined && message.mediaId !== undefined
      ? (
          await listMediaByOperatorId(ctx, [{ workspaceId: ctx.workspace.id, operatorId: message.mediaId }])
        )[0]
      : undefined
  const row = received ?? sent
  if (row === undefined) return undefined
  if (row.state === 'stored') return { state: 'stored', file: storedFile(row) }
  return row.state === 'pending' ? { state: 'pending' } : { state: 'failed', failure: row.failure ?? '' }
}

/** Returns a file by our id, if it is in the store. */
export async function findStoredFile(
  unit: Unit,
  workspaceId: string,
  mediaId: string,
): Promise<StoredFile | undefined> {
  const row = await findMediaRow(unit.tx.sql, workspaceId, mediaId)
  return row?.state === 'stored' ? storedFile(row) : undefined
}

/** Returns the file of a media id in a request, if it is in the store. */
export async function findNamedFile(
  unit: Unit,
  workspaceId: string,
  mediaId: string,
): Promise<StoredFile | undefined> {
  const id = isUuid(mediaId) ? mediaId : null
  const [row] = await listNamedMedia(unit, [{ workspaceId, operatorId: mediaId, id }])
  return row?.state === 'stored' ? storedFile(row) : undefined
}
