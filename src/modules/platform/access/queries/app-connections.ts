/** Every statement on the connections of apps. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type ConnectionRow = Selectable<Tables['appConnections']>
type ConnectionKey = Pick<ConnectionRow, 'workspaceId' | 'id'>

export const insertConnection = (tx: Tx, row: Insertable<Tables['appConnections']>): Promise<number> =>
  tx.run(db.insertInto('appConnections').values(row))

export const findConnectionForUpdate = (
  tx: Tx,
  { workspaceId, id }: ConnectionKey,
): Promise<ConnectionRow | undefined> =>
  tx.first(
    db
      .selectFrom('appConnections')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .forUpdate(),
  )

export const updateConnection = (
  tx: Tx,
  { workspaceId, id }: ConnectionKey,
  patch: Updateable<Tables['appConnections']>,
): Promise<number> =>
  tx.run(
    db.updateTable('appConnections').set(patch).where('workspaceId', '=', workspaceId).where('id', '=', id),
  )

/** Returns the keys of a workspace that belong to apps, and until when each app can renew its key. */
export const listKeysOfApps = (
  tx: Tx,
  workspaceId: string,
): Promise<Pick<ConnectionRow, 'keyId' | 'expiresAt'>[]> =>
  tx.all(
    db
      .selectFrom('appConnections')
      .select(['keyId', 'expiresAt'])
      .where('workspaceId', '=', workspaceId)
      .where('keyId', 'is not', null),
  )

export const findConnectionOfKey = (
  tx: Tx,
  workspaceId: string,
  keyId: string,
): Promise<ConnectionRow | undefined> =>
  tx.first(
    db
      .selectFrom('appConnections')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('keyId', '=', keyId),
  )

export const deleteExpiredConnections = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from app_connections c using (
         select workspace_id, id from app_connections where expires_at <= $1 order by expires_at limit $2) old
       where c.workspace_id = old.workspace_id and c.id = old.id returning 1`,
      [now, max],
    )
  ).length
