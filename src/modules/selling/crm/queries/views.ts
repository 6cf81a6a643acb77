/** SQL for saved views. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { LeadFilter } from '../filter-schema.ts'
import type { ChatView, ViewPage } from '../view-schema.ts'
import type { Sort } from './lead-lists.ts'

export type ViewRow = Omit<Selectable<Tables['savedViews']>, 'page' | 'filter' | 'chats' | 'sort' | 'dir'> & {
  page: ViewPage
  filter: LeadFilter | null
  chats: ChatView | null
  sort: Sort | null
  dir: 'asc' | 'desc' | null
}

const storedValues = (row: ViewRow) => ({
  ...row,
  filter: row.filter === null ? null : json(row.filter),
  chats: row.chats === null ? null : json(row.chats),
})

/** Selects views of the team and, with a member, that member's private views. */
const selectVisible = (ctx: Context, memberId: string | null) =>
  db
    .selectFrom('savedViews')
    .selectAll()
    .where('workspaceId', '=', ctx.workspace.id)
    .where((expression) =>
      memberId === null
        ? expression('memberId', 'is', null)
        : expression.or([expression('memberId', 'is', null), expression('memberId', '=', memberId)]),
    )

export const listViewRows = (ctx: Context, memberId: string | null, page: ViewPage): Promise<ViewRow[]> =>
  ctx.tx.all(selectVisible(ctx, memberId).where('page', '=', page).orderBy('id')) as Promise<ViewRow[]>

export const findViewRow = (
  ctx: Context,
  memberId: string | null,
  id: string,
): Promise<ViewRow | undefined> =>
  ctx.tx.first(selectVisible(ctx, memberId).where('id', '=', id)) as Promise<ViewRow | undefined>

/** Serializes changes of a workspace's views. */
export const lockViews = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'saved views')

export const countViewRows = async (ctx: Context): Promise<number> =>
  (await ctx.tx.first(
    db
      .selectFrom('savedViews')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', ctx.workspace.id),
  ))!.count

export const insertViewRow = (ctx: Context, row: ViewRow): Promise<number> =>
  ctx.tx.run(db.insertInto('savedViews').values(storedValues(row)))

export const updateViewRow = (ctx: Context, row: ViewRow): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('savedViews')
      .set(storedValues(row))
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', row.id),
  )

export const deleteViewRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('savedViews').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))
