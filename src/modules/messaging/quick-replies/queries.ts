/** Statements on saved replies. */
import type { Insertable, Selectable } from 'kysely'
import type { Context } from '../../../core/context.ts'
import type { CursorQuery } from '../../../core/paging.ts'
import { db, hasAtLeast } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../database/sql/workspace-lock.ts'

export type QuickReplyRow = Selectable<Tables['quickReplies']>

const selectOwn = (ctx: Context) =>
  db.selectFrom('quickReplies').selectAll().where('workspaceId', '=', ctx.workspace.id)

/** Lists saved replies newest first, with one row more than the limit. */
export const listQuickReplyRows = (ctx: Context, page: CursorQuery): Promise<QuickReplyRow[]> =>
  ctx.tx.all(
    selectOwn(ctx)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  )

export const findQuickReplyRow = (ctx: Context, id: string): Promise<QuickReplyRow | undefined> =>
  ctx.tx.first(selectOwn(ctx).where('id', '=', id))

export const findQuickReplyForUpdate = (ctx: Context, id: string): Promise<QuickReplyRow | undefined> =>
  ctx.tx.first(selectOwn(ctx).where('id', '=', id).forUpdate())

export const findQuickReplyByShortcut = (
  ctx: Context,
  shortcutKey: string,
): Promise<{ id: string } | undefined> =>
  ctx.tx.first(selectOwn(ctx).clearSelect().select('id').where('shortcutKey', '=', shortcutKey))

/** Returns whether the workspace has at least `max` saved replies. */
export const hasQuickReplies = (ctx: Context, max: number): Promise<boolean> =>
  hasAtLeast(ctx.tx, 'quickReplies', { workspaceId: ctx.workspace.id, max })

/** Blocks other writers of the workspace's saved replies until the transaction ends. */
export const lockQuickReplies = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'quick replies')

export const insertQuickReplyRow = (ctx: Context, row: Insertable<Tables['quickReplies']>): Promise<number> =>
  ctx.tx.run(db.insertInto('quickReplies').values(row))

export const insertQuickReplyRows = (
  ctx: Context,
  rows: Insertable<Tables['quickReplies']>[],
): Promise<number> => ctx.tx.run(db.insertInto('quickReplies').values(rows))

export const listQuickRepliesByShortcut = async (
  ctx: Context,
  keys: string[],
): Promise<Pick<QuickReplyRow, 'shortcutKey' | 'text'>[]> =>
  keys.length === 0
    ? []
    : ctx.tx.all(
        selectOwn(ctx).clearSelect().select(['shortcutKey', 'text']).where('shortcutKey', 'in', keys),
      )

/** Counts the saved replies of the workspace, of which it has at most a thousand. */
export const countQuickReplies = async (ctx: Context): Promise<number> => {
  const row = await ctx.tx.first(
    selectOwn(ctx)
      .clearSelect()
      .select(({ fn }) => fn.countAll<string>().as('count')),
  )
  return Number(row?.count ?? 0)
}

export const updateQuickReplyRow = (ctx: Context, row: QuickReplyRow): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('quickReplies')
      .set({
        shortcut: row.shortcut,
        shortcutKey: row.shortcutKey,
        text: row.text,
        updatedAt: row.updatedAt,
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', row.id),
  )

export const deleteQuickReplyRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('quickReplies').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))
