/** Statements on macros. */
import type { Insertable, Selectable } from 'kysely'
import type { Context } from '../../../core/context.ts'
import type { CursorQuery } from '../../../core/paging.ts'
import { db, hasAtLeast } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../database/sql/workspace-lock.ts'
import type { MacroActions } from './schema.ts'

export type MacroRow = Omit<Selectable<Tables['macros']>, 'actions'> & { actions: MacroActions }

const selectOwn = (ctx: Context) =>
  db.selectFrom('macros').selectAll().where('workspaceId', '=', ctx.workspace.id)

/** Lists macros newest first, with one row more than the limit. */
export const listMacroRows = (ctx: Context, page: CursorQuery): Promise<MacroRow[]> =>
  ctx.tx.all(
    selectOwn(ctx)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  ) as Promise<MacroRow[]>

export const findMacroRow = (ctx: Context, id: string): Promise<MacroRow | undefined> =>
  ctx.tx.first(selectOwn(ctx).where('id', '=', id)) as Promise<MacroRow | undefined>

export const findMacroByName = (ctx: Context, nameKey: string): Promise<{ id: string } | undefined> =>
  ctx.tx.first(selectOwn(ctx).clearSelect().select('id').where('nameKey', '=', nameKey))

/** Returns whether the workspace has at least `max` macros. */
export const hasMacros = (ctx: Context, max: number): Promise<boolean> =>
  hasAtLeast(ctx.tx, 'macros', { workspaceId: ctx.workspace.id, max })

/** Blocks other writers of the workspace's macros until the transaction ends. */
export const lockMacros = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'macros')

const stored = <Row extends { actions: MacroActions }>(row: Row) => ({
  ...row,
  actions: JSON.stringify(row.actions),
})

export const insertMacroRow = (ctx: Context, row: MacroRow): Promise<number> =>
  ctx.tx.run(db.insertInto('macros').values(stored(row) as Insertable<Tables['macros']>))

export const updateMacroRow = (
  ctx: Context,
  { id, workspaceId, createdAt: _, ...row }: MacroRow,
): Promise<number> =>
  ctx.tx.run(
    db.updateTable('macros').set(stored(row)).where('workspaceId', '=', workspaceId).where('id', '=', id),
  )

export const deleteMacroRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('macros').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))
