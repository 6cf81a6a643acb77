import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, isFound } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ContactRow } from './contacts.ts'

export type TagRow = Selectable<Tables['tags']>

/** Returns at most `limit` + 1 rows, newest first. */
export const listTagRows = (ctx: Context, { limit, cursor }: CursorQuery): Promise<TagRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('tags')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  )

export const findTagForUpdate = (ctx: Context, id: string): Promise<TagRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('tags')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forUpdate(),
  )

export const findTagByName = (ctx: Context, name: string): Promise<TagRow | undefined> =>
  ctx.tx.first(
    db.selectFrom('tags').selectAll().where('workspaceId', '=', ctx.workspace.id).where('name', '=', name),
  )

/** Returns which of these names are tags. */
export const listTagNames = async (ctx: Context, names: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await ctx.tx.sql<Pick<TagRow, 'name'>>(
        'select name from tags where workspace_id = $1 and name = any($2::text[])',
        [ctx.workspace.id, names],
      )
    ).map((row) => row.name),
  )

/** Inserts the tag unless its name is taken. Returns whether it was inserted. */
export const insertTag = async (ctx: Context, row: TagRow): Promise<boolean> =>
  (await ctx.tx.run(
    db
      .insertInto('tags')
      .values(row)
      .onConflict((on) => on.doNothing()),
  )) > 0

export const updateTagColor = (ctx: Context, row: TagRow): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('tags')
      .set({ color: row.color, updatedAt: row.updatedAt })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', row.id),
  )

export const deleteTagRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('tags').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

export type TagInUse = { workspaceId: string; name: string; at: Date }

const IS_STORED = isFound('from tags where tags.workspace_id = u.workspace_id and tags.name = u.name')

/**
 * Stores unknown tags in use, and returns the tags that are already committed. Every batch uses the same
 * order, so that two batches don't deadlock.
 */
export async function insertTagsInUse(
  tx: Tx,
  inUse: TagInUse[],
): Promise<Pick<TagRow, 'workspaceId' | 'name'>[]> {
  const workspaces = uuids(inUse.map((tag) => tag.workspaceId))
  const names = inUse.map((tag) => tag.name)
  const [stored] = await Promise.all([
    tx.sql<Pick<TagRow, 'workspaceId' | 'name'>>(
      `select workspace_id, name from unnest($1::uuid[], $2::text[]) as u (workspace_id, name) where ${IS_STORED}`,
      [workspaces, names],
    ),
    tx.sql(
      `insert into tags (workspace_id, id, name, created_at, updated_at)
       select workspace_id, id, name, at, at
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as u (workspace_id, id, name, at)
       where not ${IS_STORED} order by workspace_id, name
       on conflict do nothing`,
      [workspaces, uuids(inUse.map(() => newId())), names, instants(inUse.map((tag) => tag.at))],
    ),
  ])
  return stored
}

/** A renamed or removed tag whose contacts are still being processed. */
export type TagChange = Omit<Selectable<Tables['tagChanges']>, 'workspaceId'>

export async function insertTagChange(ctx: Context, oldName: string, newName: string | null): Promise<void> {
  await ctx.tx.run(
    db
      .insertInto('tagChanges')
      .values({ workspaceId: ctx.workspace.id, id: newId(), oldName, newName, createdAt: ctx.now }),
  )
}

/** Returns whether contacts may still have `name` from before it was renamed or removed. */
export const isTagChanging = async (ctx: Context, name: string): Promise<boolean> =>
  (await ctx.tx.first(
    db
      .selectFrom('tagChanges')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('oldName', '=', name)
      .limit(1),
  )) !== undefined

/** Returns the first change, locked. */
export const findFirstTagChangeForUpdate = (ctx: Context): Promise<TagChange | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('tagChanges')
      .select(['id', 'oldName', 'newName', 'fence', 'reached', 'createdAt'])
      .where('workspaceId', '=', ctx.workspace.id)
      .orderBy('id')
      .limit(1)
      .forUpdate(),
  )

/** Returns the id of this transaction, and the lowest id of the running transactions. */
export const readRunningTransactions = async (ctx: Context): Promise<{ own: number; lowest: number }> => {
  const [running] = await ctx.tx.sql<{ own: number; lowest: number }>(
    'select transaction_number()::text::bigint as own, transaction_horizon()::text::bigint as lowest',
  )
  return running!
}

export const updateTagChange = (
  ctx: Context,
  id: string,
  set: { fence?: number; reached?: string },
): Promise<number> =>
  ctx.tx.run(
    db.updateTable('tagChanges').set(set).where('workspaceId', '=', ctx.workspace.id).where('id', '=', id),
  )

export const deleteTagChange = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('tagChanges').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/**
 * Applies `change` to the next `max` contacts after its position. Returns the last contact processed;
 * undefined when none is left.
 */
export async function retagContactRows(
  ctx: Context,
  change: TagChange,
  max: number,
): Promise<string | undefined> {
  const [step] = await ctx.tx.sql<{ reached: ContactRow['id'] }>(
    `with step as materialized (
       select id from contacts
       where workspace_id = $1 and id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
       order by id limit $3
     ), changed as (
       update contacts c set updated_at = $6, tags = case
           when $5::text is null or $5 = any (c.tags) then array_remove(c.tags, $4)
           else array_replace(c.tags, $4, $5)
         end
       from step where c.workspace_id = $1 and c.id = step.id and $4 = any (c.tags)
     )
     select id as reached from step order by id desc limit 1`,
    [ctx.workspace.id, change.reached, max, change.oldName, change.newName, ctx.now],
  )
  return step?.reached
}
