/** Statements on the files of posts. */
import type { Insertable, Selectable } from 'kysely'
import type { Context, Tx, Unit } from '../../../../../core/context.ts'
import { db, isOneOf } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

export type MediaRow = Selectable<Tables['socialMedia']>

export const insertMediaRow = (ctx: Context, row: Insertable<Tables['socialMedia']>): Promise<number> =>
  ctx.tx.run(db.insertInto('socialMedia').values(row))

/** Records that the bytes are in the store; returns false if the row no longer exists. */
export const updateMediaStored = async (tx: Tx, workspaceId: string, id: string): Promise<boolean> =>
  (await tx.run(
    db
      .updateTable('socialMedia')
      .set({ state: 'stored' })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id),
  )) > 0

export const findMediaRow = (unit: Unit, workspaceId: string, id: string): Promise<MediaRow | undefined> =>
  unit.tx.first(
    db.selectFrom('socialMedia').selectAll().where('workspaceId', '=', workspaceId).where('id', '=', id),
  )

/** Lists those of these files that exist. */
export const listMediaRows = (ctx: Context, ids: string[]): Promise<MediaRow[]> =>
  ctx.tx.all(
    db.selectFrom('socialMedia').selectAll().where('workspaceId', '=', ctx.workspace.id).where(isOneOf(ids)),
  )

/** Returns the file, locked. */
export const findMediaRowForUpdate = (ctx: Context, id: string): Promise<MediaRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('socialMedia')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forUpdate(),
  )

/** Deletes a file's row; a job that the deletion creates removes its bytes. */
export const deleteMediaRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('socialMedia').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Lists those of these files that are in the store, protected from deletion until the transaction ends. */
export const listStoredMediaForShare = (ctx: Context, ids: string[]): Promise<MediaRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('socialMedia')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where(isOneOf(ids))
      .where('state', '=', 'stored')
      .orderBy('id')
      .forShare(),
  )

/** Deletes a file unless an unpublished post has it; returns whether it was deleted. */
export const deleteUnusedMedia = async (ctx: Context, id: string): Promise<boolean> =>
  (
    await ctx.tx.sql(
      `delete from social_media m
       where workspace_id = $1 and id = $2 and not exists (
         select from social_post_media used
         join social_posts p on p.workspace_id = used.workspace_id and p.id = used.post_id
         where used.workspace_id = m.workspace_id and used.media_id = m.id and p.status in ('draft', 'scheduled'))
       returning id`,
      [ctx.workspace.id, id],
    )
  ).length > 0
