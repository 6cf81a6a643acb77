/** Statements on posts. */
import { type Insertable, type NotNull, type Selectable, sql, type Updateable } from 'kysely'
import type { Context, Unit } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { PostFilter, PostKind, PostStatus } from '../schema.ts'

export type PostRow = Omit<Selectable<Tables['socialPosts']>, 'kind' | 'status'> & {
  kind: PostKind
  status: PostStatus
}
/** One file of a post. */
export type PartRow = Selectable<Tables['socialPostMedia']>

const own = (ctx: Context) =>
  db.selectFrom('socialPosts').selectAll().where('workspaceId', '=', ctx.workspace.id)

export const findPostRow = (ctx: Context, id: string): Promise<PostRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id)) as Promise<PostRow | undefined>

/** Returns the post, locked. */
export const findPostRowForUpdate = (ctx: Context, id: string): Promise<PostRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id).forUpdate()) as Promise<PostRow | undefined>

/** When it will be, or was, published. */
const goesOutAt = sql<Date>`coalesce(published_at, scheduled_at)`

/** Lists posts newest first, with one row more than the limit. */
export const listPostRows = (
  ctx: Context,
  { limit, cursor, status, from, to }: PostFilter,
): Promise<PostRow[]> =>
  ctx.tx.all(
    own(ctx)
      .$if(from !== undefined, (query) => query.where(goesOutAt, '>=', from!))
      .$if(to !== undefined, (query) => query.where(goesOutAt, '<', to!))
      .$if(status !== undefined, (query) => query.where('status', '=', status!))
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<PostRow[]>

export const insertPostRow = (ctx: Context, row: Insertable<Tables['socialPosts']>): Promise<number> =>
  ctx.tx.run(db.insertInto('socialPosts').values(row))

export const updatePostRow = (
  ctx: Context,
  id: string,
  patch: Updateable<Tables['socialPosts']>,
): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('socialPosts')
      .set({ ...patch, updatedAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Inserts the files of a new post, in order. */
export const insertPartRows = (ctx: Context, postId: string, mediaIds: string[]): Promise<unknown> =>
  ctx.tx.sql(
    `insert into social_post_media (workspace_id, post_id, position, media_id)
     select $1, $2, position, media_id from unnest($3::uuid[]) with ordinality as listed (media_id, position)`,
    [ctx.workspace.id, postId, uuids(mediaIds)],
  )

export const deletePartRows = (ctx: Context, postId: string): Promise<number> =>
  ctx.tx.run(
    db.deleteFrom('socialPostMedia').where('workspaceId', '=', ctx.workspace.id).where('postId', '=', postId),
  )

export const deletePostRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('socialPosts').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Lists the files of these posts, in each post's order. */
export const listPartRows = (unit: Unit, workspaceId: string, postIds: string[]): Promise<PartRow[]> =>
  unit.tx.all(
    db
      .selectFrom('socialPostMedia')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('postId', '=', sql<string>`any(${uuids(postIds)}::uuid[])`)
      .orderBy('postId')
      .orderBy('position'),
  )

/** Stores the network's ids of a carousel's parts. */
export const updatePartContainers = (
  ctx: Context,
  postId: string,
  parts: Pick<PartRow, 'position' | 'containerId'>[],
): Promise<unknown> =>
  ctx.tx.sql(
    `update social_post_media m set container_id = made.container_id
     from unnest($3::int[], $4::text[]) as made (position, container_id)
     where m.workspace_id = $1 and m.post_id = $2 and m.position = made.position`,
    [ctx.workspace.id, postId, parts.map((part) => part.position), parts.map((part) => part.containerId)],
  )

/** Lists our posts by the network's ids. */
export const listPostsByNetworkMedia = (ctx: Context, accountId: string, networkMediaIds: string[]) =>
  ctx.tx.all(
    db
      .selectFrom('socialPosts')
      .select(['id', 'networkMediaId'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('accountId', '=', accountId)
      .where('networkMediaId', '=', sql<string>`any(${networkMediaIds}::text[])`)
      .$narrowType<{ networkMediaId: NotNull }>(),
  )

/** Returns a file of the workspace's own post with this id of the network, by its place from 1 on; undefined without one. */
export const findFileOf = (ctx: Context, networkMediaId: string, place: number) =>
  ctx.tx.first(
    db
      .selectFrom('socialPosts')
      .innerJoin('socialPostMedia', (join) =>
        join
          .onRef('socialPostMedia.workspaceId', '=', 'socialPosts.workspaceId')
          .onRef('socialPostMedia.postId', '=', 'socialPosts.id'),
      )
      .select('socialPostMedia.mediaId')
      .where('socialPosts.workspaceId', '=', ctx.workspace.id)
      .where('networkMediaId', '=', networkMediaId)
      .orderBy('position')
      .offset(place - 1)
      .limit(1),
  )

/** Returns the post that was published last; undefined if none was. */
export const findLastPublished = (ctx: Context) =>
  ctx.tx.first(
    db
      .selectFrom('socialPosts')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('status', '=', 'published')
      .orderBy(sql`coalesce(published_at, scheduled_at)`, 'desc')
      .limit(1),
  )
