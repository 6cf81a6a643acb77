/** Every statement on the files of posts. */
import type { Insertable, Selectable } from 'kysely'
import { uuids } from '../../../../core/binary-arrays.ts'
import type { Context, Tx, Unit } from '../../../../core/context.ts'
import { db } from '../../../../core/sql.ts'
import type { Tables } from '../../../../core/tables.ts'

export type MediaRow = Selectable<Tables['socialMedia']>

export const insertMediaRow = (ctx: Context, row: Insertable<Tables['socialMedia']>): Promise<number> =>
  ctx.tx.run(db.insertInto('socialMedia').values(row))

/** The bytes are in the store; false when the row is gone. */
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

/** Those of these files that there are. */
export const listMediaRows = (ctx: Context, ids: string[]): Promise<MediaRow[]> =>
  ctx.tx.sql<MediaRow>('select * from social_media where workspace_id = $1 and id = any($2::uuid[])', [
    ctx.workspace.id,
    uuids(ids),
  ])

/** The file, locked. */
export const findMediaRowForUpdate = (ctx: Context, id: string): Promise<MediaRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('socialMedia')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forUpdate(),
  )

/** Forgets a file; its bytes are removed by a job that the deletion leaves behind. */
export const deleteMediaRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('socialMedia').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Those of these files that are in the store, held against being swept until the transaction ends. */
export const listStoredMediaForShare = (ctx: Context, ids: string[]): Promise<MediaRow[]> =>
  ctx.tx.sql<MediaRow>(
    `select * from social_media
     where workspace_id = $1 and id = any($2::uuid[]) and state = 'stored' order by id for share`,
    [ctx.workspace.id, uuids(ids)],
  )

/** Forgets a file unless a post that is not out yet carries it; answers whether it went. */
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
