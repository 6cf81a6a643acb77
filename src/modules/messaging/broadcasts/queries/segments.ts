/** Every statement on saved segments. */
import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { spellings } from '../../../../core/values/spellings.ts'
import { db, hasAtLeast, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { SegmentDefinition } from '../segment-schema.ts'

export type SegmentRow = Omit<Selectable<Tables['segments']>, 'definition'> & {
  definition: SegmentDefinition
}

const selectById = (workspaceId: string) =>
  db.selectFrom('segments').selectAll().where('workspaceId', '=', workspaceId)

/** Returns segments, newest first, one row more than the limit. */
export const listSegmentRows = (ctx: Context, page: CursorQuery): Promise<SegmentRow[]> =>
  ctx.tx.all(
    selectById(ctx.workspace.id)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  ) as Promise<SegmentRow[]>

export const findSegment = (tx: Tx, workspaceId: string, id: string): Promise<SegmentRow | undefined> =>
  tx.first(selectById(workspaceId).where('id', '=', id)) as Promise<SegmentRow | undefined>

export const findSegmentForUpdate = (ctx: Context, id: string): Promise<SegmentRow | undefined> =>
  ctx.tx.first(selectById(ctx.workspace.id).where('id', '=', id).forUpdate()) as Promise<
    SegmentRow | undefined
  >

/** Locks a saved segment against changes until the transaction ends. */
export const holdSegment = (ctx: Context, id: string): Promise<unknown> =>
  ctx.tx.first(selectById(ctx.workspace.id).where('id', '=', id).forShare())

/** Returns the segment with this name, regardless of case and Unicode form. */
export const findSegmentByName = (ctx: Context, name: string): Promise<Pick<SegmentRow, 'id'> | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('segments')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where(
        sql<boolean>`lower(name) = any(select lower(spelling) from unnest(${spellings(name)}::text[]) as spelling)`,
      ),
  )

/** Returns whether the workspace has at least `max` segments. */
export const hasSegments = (ctx: Context, max: number): Promise<boolean> =>
  hasAtLeast(ctx.tx, 'segments', { workspaceId: ctx.workspace.id, max })

/** Locks the workspace's segments against other writers until the transaction ends. */
export const lockSegments = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'segments')

export const insertSegmentRow = (ctx: Context, row: SegmentRow): Promise<number> =>
  ctx.tx.run(db.insertInto('segments').values({ ...row, definition: json(row.definition) }))

export const updateSegmentRow = (ctx: Context, row: SegmentRow): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('segments')
      .set({
        name: row.name,
        definition: json(row.definition),
        matched: row.matched,
        matchedAt: row.matchedAt,
        updatedAt: row.updatedAt,
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', row.id),
  )

export const deleteSegmentRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('segments').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))
