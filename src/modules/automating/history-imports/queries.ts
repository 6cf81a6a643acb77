/** SQL for imports of past messages. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../core/context.ts'
import { db, isOfWorkspace, json, plainList } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { PastSource } from '../../messaging/messages/past/past-message.ts'
import type { LeftOut } from './history-source.ts'
import type { HistoryImportState } from './schema.ts'

export type HistoryImportRow = Omit<
  Selectable<Tables['historyImports']>,
  'source' | 'state' | 'settings' | 'causes'
> & {
  source: PastSource
  state: HistoryImportState
  settings: Record<string, unknown> | null
  causes: Record<string, number>
}

export type LeftOutRow = Selectable<Tables['historyImportLeftOut']>

const ofImport = (ctx: Context, id: string) =>
  db.selectFrom('historyImports').selectAll().where('workspaceId', '=', ctx.workspace.id).where('id', '=', id)

export const findHistoryImport = (ctx: Context, id: string): Promise<HistoryImportRow | undefined> =>
  ctx.tx.first(ofImport(ctx, id)) as Promise<HistoryImportRow | undefined>

export const findHistoryImportForUpdate = (ctx: Context, id: string): Promise<HistoryImportRow | undefined> =>
  ctx.tx.first(ofImport(ctx, id).forUpdate()) as Promise<HistoryImportRow | undefined>

/** Returns the newest imports. */
export const listHistoryImportRows = (ctx: Context, limit: number): Promise<HistoryImportRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('historyImports')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('state', '<>', 'reading')
      .orderBy('id', 'desc')
      .limit(limit),
  ) as Promise<HistoryImportRow[]>

/** Returns the run of this source that is under way, except `besides`. */
export const findActiveImport = (
  ctx: Context,
  source: PastSource,
  besides: string,
): Promise<{ id: string } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('historyImports')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('source', '=', source)
      .where('state', 'in', ['checking', 'running'])
      .where('id', '<>', besides),
  )

/** Returns the newest import of a file of the command line that was stopped, by the digest of the file. */
export const findUnfinishedImport = async (
  ctx: Context,
  source: PastSource,
  digest: string,
): Promise<(HistoryImportRow & { settings: Record<string, unknown> }) | undefined> =>
  (
    await ctx.tx.sql<HistoryImportRow & { settings: Record<string, unknown> }>(
      `select * from history_imports
       where workspace_id = $1 and source = $2 and state in ('checking', 'running', 'failed') and not has_file and settings ->> 'digest' = $3
       order by id desc limit 1`,
      [ctx.workspace.id, source, digest],
    )
  )[0]

export type NewHistoryImport = Pick<
  HistoryImportRow,
  'id' | 'source' | 'phoneNumberId' | 'title' | 'hasFile'
> & { secretSealed?: Buffer | null; settings?: Record<string, unknown> | null }

/** Inserts an import that is not visible until its state changes. */
export const insertHistoryImport = (ctx: Context, row: NewHistoryImport): Promise<number> =>
  ctx.tx.run(
    db.insertInto('historyImports').values({
      ...row,
      settings: row.settings ? json(row.settings) : null,
      workspaceId: ctx.workspace.id,
      state: 'reading',
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
  )

export type HistoryImportChange = Partial<
  Omit<HistoryImportRow, 'workspaceId' | 'id' | 'source' | 'createdAt' | 'updatedAt'>
>

/** Changes an import and returns it. */
export const updateHistoryImport = (
  ctx: Context,
  id: string,
  { settings, position, causes, ...change }: HistoryImportChange,
): Promise<HistoryImportRow> =>
  ctx.tx.first(
    db
      .updateTable('historyImports')
      .set({
        ...change,
        ...(settings === undefined ? {} : { settings: settings === null ? null : json(settings) }),
        ...(position === undefined ? {} : { position: position === null ? null : json(position) }),
        ...(causes === undefined ? {} : { causes: json(causes) }),
        updatedAt: ctx.now,
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .returningAll(),
  ) as Promise<HistoryImportRow>

/** Returns whether background work of the workspace is stopped, because the workspace moves. */
export const isWorkspacePaused = async ({ tx, workspace }: Context, id: string): Promise<boolean> =>
  (
    await tx.sql(
      `select 1 from history_imports h where h.workspace_id = $1 and h.id = $2 and ${isOfWorkspace('h')}`,
      [workspace.id, id],
    )
  ).length === 0

export const deleteHistoryImport = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('historyImports').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Stores records that were left out, numbered from `first`. */
export const insertLeftOut = (
  { tx, workspace }: Context,
  importId: string,
  first: number,
  rows: LeftOut[],
): Promise<unknown> =>
  tx.sql(
    `insert into history_import_left_out (workspace_id, import_id, number, kind, place, cause)
     select $1, $2, n.number, n.kind, n.place, n.cause
     from unnest($3::int4[], $4::text[], $5::text[], $6::text[]) as n (number, kind, place, cause)
     on conflict do nothing`,
    [
      workspace.id,
      importId,
      plainList(rows.map((_, i) => first + i)),
      rows.map((row) => row.kind),
      rows.map((row) => row.place),
      rows.map((row) => row.cause),
    ],
  )

/** Deletes the records that an earlier run left out. */
export const deleteLeftOut = (ctx: Context, importId: string): Promise<number> =>
  ctx.tx.run(
    db
      .deleteFrom('historyImportLeftOut')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('importId', '=', importId),
  )

/** Returns the next records that were left out. */
export const listLeftOutRows = (
  ctx: Context,
  importId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LeftOutRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('historyImportLeftOut')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('importId', '=', importId)
      .where('number', '>', after)
      .orderBy('number')
      .limit(limit),
  )

/** Deletes old imports with their files, by jobs that their trigger creates. */
export const deleteOldHistoryImports = (query: Query, before: Date, max: number): Promise<unknown[]> =>
  deleteImports(query, 'created_at < $1', before, max)

/** Deletes old imports that wait for a person, with their files. */
export const deleteOldWaitingImports = (query: Query, before: Date, max: number): Promise<unknown[]> =>
  deleteImports(query, "created_at < $1 and state in ('reading', 'checked', 'failed')", before, max)

const deleteImports = (query: Query, condition: string, before: Date, max: number): Promise<unknown[]> =>
  query(
    `delete from history_imports h using (
       select workspace_id, id from history_imports where ${condition} order by created_at limit $2) old
     where h.workspace_id = old.workspace_id and h.id = old.id returning h.id`,
    [before, max],
  )
