/** Statements on files of past messages. */
import type { Context } from '../../../core/context.ts'
import { uuids } from '../../../database/sql/binary-arrays.ts'
import type { NewMedia } from './queries.ts'

type HeldMedia = Pick<
  NewMedia,
  'id' | 'phoneNumberId' | 'kind' | 'mimeType' | 'filename' | 'sizeBytes' | 'sha256' | 'expiresAt'
>

/** Inserts a file that no message has yet. Returns false if it is known. */
export const insertHeldMedia = async ({ tx, workspace, now }: Context, row: HeldMedia): Promise<boolean> =>
  (
    await tx.sql(
      `insert into media (workspace_id, id, phone_number_id, origin, kind, mime_type, filename, size_bytes, sha256, expires_at,
                          created_at, state)
       values ($1, $2, $3, 'upload', $4, $5, $6, $7, $8, $9, $10, 'pending')
       on conflict (workspace_id, id) do nothing returning id`,
      [
        workspace.id,
        row.id,
        row.phoneNumberId,
        row.kind,
        row.mimeType,
        row.filename,
        row.sizeBytes,
        row.sha256,
        row.expiresAt,
        now,
      ],
    )
  ).length > 0

/** Gives files to the messages that contain them. */
export const attachMedia = (
  { tx, workspace }: Context,
  files: { mediaId: string; messageId: string }[],
): Promise<unknown> =>
  tx.sql(
    `update media m set message_id = f.message_id, origin = 'customer', state = 'stored'
     from unnest($2::uuid[], $3::uuid[]) as f (id, message_id)
     where m.workspace_id = $1 and m.id = f.id and m.message_id is null`,
    [workspace.id, uuids(files.map((file) => file.mediaId)), uuids(files.map((file) => file.messageId))],
  )
