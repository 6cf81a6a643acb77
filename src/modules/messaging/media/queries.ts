/** Statements on files and running uploads. */

import type { Selectable } from 'kysely'
import type { Query, Tx, Unit } from '../../../core/context.ts'
import { instants, uuids } from '../../../database/sql/binary-arrays.ts'
import { db } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../database/sql/workspace-lock.ts'
import type { MediaKind } from '../../../operator/media-types.ts'

export type MediaRow = Omit<Selectable<Tables['media']>, 'origin' | 'kind' | 'state'> & {
  origin: 'customer' | 'upload'
  kind: MediaKind
  state: 'pending' | 'stored' | 'failed'
}

export type NewMedia = Omit<MediaRow, 'state' | 'failure'>

/**
 * Inserts files whose bytes are not in the store yet, and returns the new ids; known files of messages are
 * left unchanged.
 */
export async function insertMedia(tx: Tx, rows: NewMedia[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await tx.sql<Pick<MediaRow, 'id'>>(
    `insert into media (workspace_id, id, phone_number_id, origin, message_id, kind, operator_id, mime_type, filename,
                        size_bytes, sha256, expires_at, created_at, state)
     select *, 'pending' from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[],
                                     $8::text[], $9::text[], $10::int8[], $11::text[], $12::timestamptz[], $13::timestamptz[])
     on conflict (workspace_id, message_id) where message_id is not null do nothing returning id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.phoneNumberId)),
      rows.map((row) => row.origin),
      uuids(rows.map((row) => row.messageId)),
      rows.map((row) => row.kind),
      rows.map((row) => row.operatorId),
      rows.map((row) => row.mimeType),
      rows.map((row) => row.filename),
      rows.map((row) => row.sizeBytes),
      rows.map((row) => row.sha256),
      instants(rows.map((row) => row.expiresAt)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )
  return new Set(inserted.map((row) => row.id))
}

export const findMediaRow = async (
  run: Tx['sql'] | Query,
  workspaceId: string,
  id: string,
): Promise<MediaRow | undefined> =>
  (await run<MediaRow>('select * from media where workspace_id = $1 and id = $2', [workspaceId, id]))[0]

/** Returns those of these files that are in the store. */
export const listStoredMedia = (
  tx: Tx,
  workspaceId: string,
  ids: string[],
): Promise<Pick<MediaRow, 'id' | 'mimeType'>[]> =>
  tx.sql(
    `select id, mime_type from media where workspace_id = $1 and id = any($2::uuid[]) and state = 'stored'`,
    [workspaceId, uuids(ids)],
  )

/** Returns the file of a customer's message. */
export const findMediaOfMessage = (
  tx: Tx,
  workspaceId: string,
  messageId: string,
): Promise<MediaRow | undefined> =>
  tx.first(
    db
      .selectFrom('media')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('messageId', '=', messageId),
  ) as Promise<MediaRow | undefined>

/** Returns the files with the operator's ids; of several with one id our own upload, otherwise the newest. */
export const listMediaByOperatorId = (
  unit: Unit,
  keys: { workspaceId: string; operatorId: string }[],
): Promise<MediaRow[]> =>
  unit.tx.sql<MediaRow>(
    `select distinct on (m.workspace_id, m.operator_id) m.*
     from unnest($1::uuid[], $2::text[]) as k(workspace_id, operator_id)
     join media m on m.workspace_id = k.workspace_id and m.operator_id = k.operator_id
     order by m.workspace_id, m.operator_id, m.origin = 'upload' desc, m.id desc`,
    [uuids(keys.map((key) => key.workspaceId)), keys.map((key) => key.operatorId)],
  )

/** A media id in a request: the operator's, or ours of a customer's file (null if it has another format). */
export type NamedMedia = { workspaceId: string; operatorId: string; id: string | null }

/** Returns the known files by the index of their names; of several with one id as above. */
export const listNamedMedia = (
  unit: Unit,
  names: NamedMedia[],
): Promise<(MediaRow & { operatorId: string; place: number })[]> =>
  unit.tx.sql(
    `select k.place::int4 - 1 as place, found.*
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (workspace_id, operator_id, id, place)
     cross join lateral (
       select * from (
         select * from media where media.workspace_id = k.workspace_id and media.operator_id = k.operator_id
         union all
         select * from media
         where media.workspace_id = k.workspace_id and media.id = k.id and origin = 'customer' and media.operator_id is not null
       ) named
       order by origin = 'upload' desc, id desc limit 1) found`,
    [
      uuids(names.map((name) => name.workspaceId)),
      names.map((name) => name.operatorId),
      uuids(names.map((name) => name.id)),
    ],
  )

/** Records that the bytes are in the store; returns false if the row no longer exists. */
export const updateStored = async (
  tx: Tx,
  row: {
    workspaceId: string
    id: string
    operatorId: string | null
    mimeType: string
    sizeBytes: number
    sha256: string
    expiresAt: Date
  },
): Promise<boolean> =>
  (await tx.run(
    db
      .updateTable('media')
      .set({
        state: 'stored',
        failure: null,
        operatorId: row.operatorId,
        mimeType: row.mimeType,
        sizeBytes: row.sizeBytes,
        sha256: row.sha256,
        expiresAt: row.expiresAt,
      })
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )) > 0

/** Records that the file could not be fetched. */
export const updateFailed = (tx: Tx, workspaceId: string, id: string, failure: string) =>
  tx.run(
    db
      .updateTable('media')
      .set({ state: 'failed', failure })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'pending'),
  )

/** Deletes a file's row; a job that the deletion creates removes its bytes. */
export const deleteMedia = (tx: Tx, workspaceId: string, id: string) =>
  tx.run(db.deleteFrom('media').where('workspaceId', '=', workspaceId).where('id', '=', id))

/** Returns whether an existing message contains an upload of the workspace. */
export const isUploadSent = async (tx: Tx, workspaceId: string, operatorId: string): Promise<boolean> =>
  (await tx.sql<{ sent: boolean }>('select is_upload_sent($1, $2) as sent', [workspaceId, operatorId]))[0]
    ?.sent === true

/** An upload, by the operator's id, in the header of a message of ours. */
export type SentFile = { workspaceId: string; messageId: string; operatorId: string }

/** Stores which uploads messages contain. */
export const insertSentFiles = (tx: Tx, files: SentFile[]): Promise<unknown> =>
  tx.sql(
    `insert into sent_files (workspace_id, message_id, operator_id)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[]) on conflict do nothing`,
    [
      uuids(files.map((file) => file.workspaceId)),
      uuids(files.map((file) => file.messageId)),
      files.map((file) => file.operatorId),
    ],
  )

/** Takes a place among the workspace's running uploads; returns false when all are taken. */
export async function insertUploadPlace(
  tx: Tx,
  place: {
    workspaceId: string
    id: string
    large: boolean
    now: Date
    leasedUntil: Date
    max: number
    maxLarge: number
  },
): Promise<boolean> {
  const { workspaceId, id, large, now, leasedUntil, max, maxLarge } = place
  // The lock puts counting and inserting in one order, because a count does not see a concurrent row before
  // its commit.
  const turn = lockInWorkspace(tx, workspaceId, 'uploads')
  const left = tx.run(
    db.deleteFrom('uploads').where('workspaceId', '=', workspaceId).where('leasedUntil', '<=', now),
  )
  const inserted = tx.sql(
    `insert into uploads (workspace_id, id, large, leased_until)
     select $1::uuid, $2::uuid, $3::boolean, $4::timestamptz
     from (select count(*) as uploads, count(*) filter (where large) as larger from uploads where workspace_id = $1) running
     where uploads < $5 and (not $3 or larger < $6) returning id`,
    [workspaceId, id, large, leasedUntil, max, maxLarge],
  )
  await Promise.all([turn, left])
  return (await inserted).length > 0
}

export const deleteUploadPlace = async (tx: Tx, workspaceId: string, id: string): Promise<void> => {
  await tx.run(db.deleteFrom('uploads').where('workspaceId', '=', workspaceId).where('id', '=', id))
}

/** Deletes the files of messages; a job then removes their bytes. */
export const deleteMediaOfMessages = (
  tx: Tx,
  messages: { workspaceId: string; id: string }[],
): Promise<unknown> =>
  tx.sql(
    `delete from media m using unnest($1::uuid[], $2::uuid[]) as gone (workspace_id, message_id)
     where m.workspace_id = gone.workspace_id and m.message_id = gone.message_id`,
    [uuids(messages.map((message) => message.workspaceId)), uuids(messages.map((message) => message.id))],
  )
