import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { FieldType } from '../settings-schema.ts'

export type ContactFieldRow = Omit<Selectable<Tables['contactFields']>, 'type'> & { type: FieldType }

/** Returns at most `limit` + 1 rows, newest first. */
export const listContactFieldRows = (
  ctx: Context,
  { limit, cursor }: CursorQuery,
): Promise<ContactFieldRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('contactFields')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<ContactFieldRow[]>

export const findContactFieldForUpdate = (ctx: Context, id: string): Promise<ContactFieldRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('contactFields')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forUpdate(),
  ) as Promise<ContactFieldRow | undefined>

export const findContactFieldByKey = (ctx: Context, key: string): Promise<ContactFieldRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('contactFields')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('key', '=', key),
  ) as Promise<ContactFieldRow | undefined>

/** Serializes declarations in one workspace, so that their count is exact. */
export const lockContactFields = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'contact fields')

export const countContactFields = async (ctx: Context): Promise<number> => {
  const row = await ctx.tx.first(
    db
      .selectFrom('contactFields')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', ctx.workspace.id),
  )
  return row?.count ?? 0
}

export const insertContactField = (ctx: Context, row: ContactFieldRow): Promise<number> =>
  ctx.tx.run(db.insertInto('contactFields').values(row))

export const updateContactFieldRow = (ctx: Context, row: ContactFieldRow): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('contactFields')
      .set({ label: row.label, options: row.options, updatedAt: row.updatedAt })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', row.id),
  )

export const deleteContactFieldRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('contactFields').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Returns the declared fields of the workspaces. */
export const listFieldsOfWorkspaces = (tx: Tx, workspaceIds: string[]): Promise<ContactFieldRow[]> =>
  tx.sql<ContactFieldRow>('select * from contact_fields where workspace_id = any ($1::uuid[])', [
    workspaceIds,
  ])
