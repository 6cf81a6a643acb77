/** Statements on comments and mentions. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../../core/context.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { db, plainList } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { COMMENT_FILTERS, COMMENT_KINDS } from '../schema.ts'

export type CommentRow = Omit<Selectable<Tables['socialComments']>, 'kind'> & {
  kind: (typeof COMMENT_KINDS)[number]
}

const own = (ctx: Context) =>
  db.selectFrom('socialComments').selectAll().where('workspaceId', '=', ctx.workspace.id)

const CONDITIONS: Record<(typeof COMMENT_FILTERS)[number], string> = {
  all: '',
  needs_reply: 'and replied_at is null and not hidden',
  mentions: `and kind = 'mention'`,
  hidden: 'and hidden',
}

/** Lists one page, newest first, with a row more than `limit`. */
export const listCommentRows = (
  ctx: Context,
  page: { limit: number; cursor?: string | undefined; filter: keyof typeof CONDITIONS },
): Promise<CommentRow[]> =>
  ctx.tx.sql<CommentRow>(
    `select * from social_comments
     where workspace_id = $1 and ($2::uuid is null or id < $2) ${CONDITIONS[page.filter]}
     order by id desc limit $3`,
    [ctx.workspace.id, page.cursor ?? null, page.limit + 1],
  )

export const findCommentRow = (ctx: Context, id: string): Promise<CommentRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id)) as Promise<CommentRow | undefined>

/** Returns the same comment, locked until the transaction ends. */
export const findCommentRowForUpdate = (ctx: Context, id: string): Promise<CommentRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id).forNoKeyUpdate()) as Promise<CommentRow | undefined>

/** Lists comments by the network's ids, locked in a fixed order. */
export const listCommentsByNetworkIdForUpdate = (
  tx: Tx,
  scope: { workspaceId: string; accountId: string; networkIds: string[] },
): Promise<CommentRow[]> =>
  tx.sql<CommentRow>(
    `select * from social_comments where workspace_id = $1 and account_id = $2 and network_id = any($3::text[])
     order by id for no key update`,
    [scope.workspaceId, scope.accountId, scope.networkIds],
  )

/** Inserts comments and returns the new ids; known comments are left unchanged. */
export async function insertComments(tx: Tx, rows: CommentRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const insertedRows = await tx.sql<Pick<CommentRow, 'id'>>(
    `insert into social_comments (workspace_id, id, account_id, network_id, media_id, parent_id, kind, author_id, username,
       text, permalink, live, commented_at, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::text[], $11::text[], $12::boolean[], $13::timestamptz[], $14::timestamptz[])
     on conflict do nothing returning id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.accountId)),
      rows.map((row) => row.networkId),
      rows.map((row) => row.mediaId),
      rows.map((row) => row.parentId),
      rows.map((row) => row.kind),
      rows.map((row) => row.authorId),
      rows.map((row) => row.username),
      rows.map((row) => row.text),
      rows.map((row) => row.permalink),
      plainList(rows.map((row) => row.live)),
      instants(rows.map((row) => row.commentedAt)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )
  return new Set(insertedRows.map((row) => row.id))
}

export const updateHidden = (ctx: Context, id: string, hidden: boolean): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('socialComments')
      .set({ hidden })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Records that the account replied to these comments. */
export const setReplied = (
  tx: Tx,
  rows: { workspaceId: string; commentId: string; at: Date }[],
): Promise<unknown> =>
  tx.sql(
    `update social_comments c set replied_at = greatest(c.replied_at, r.at)
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as r (workspace_id, id, at)
     where c.workspace_id = r.workspace_id and c.id = r.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.commentId)),
      instants(rows.map((row) => row.at)),
    ],
  )

type PermalinkRow = Selectable<Tables['socialPermalinks']>

/** Lists the addresses of posts that were looked up; null: the network has none. */
export const listPermalinks = (
  tx: Tx,
  workspaceId: string,
  mediaIds: string[],
): Promise<Pick<PermalinkRow, 'mediaId' | 'permalink'>[]> =>
  tx.sql(
    'select media_id, permalink from social_permalinks where workspace_id = $1 and media_id = any($2::text[])',
    [workspaceId, mediaIds],
  )

export const insertPermalinks = (tx: Tx, rows: PermalinkRow[]): Promise<unknown> =>
  tx.sql(
    `insert into social_permalinks (workspace_id, media_id, permalink, created_at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
     on conflict (workspace_id, media_id) do nothing`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      rows.map((row) => row.mediaId),
      rows.map((row) => row.permalink),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

export const findNetworkId = async (
  query: Query,
  workspaceId: string,
  id: string,
): Promise<string | undefined> =>
  (
    await query<Pick<CommentRow, 'networkId'>>(
      'select network_id from social_comments where workspace_id = $1 and id = $2',
      [workspaceId, id],
    )
  )[0]?.networkId ?? undefined
