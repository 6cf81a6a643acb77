/** SQL for imported files and their rows. */
import { type NotNull, type Selectable, sql } from 'kysely'
import type { Context, Query, Tx } from '../../../core/context.ts'
import { db, json, plainList } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { ColumnEvidence } from './operations/cells/column-evidence.ts'
import type { Formats, ImportKind, ImportState, Mapping } from './schema.ts'

export type ImportRow = Omit<
  Selectable<Tables['importFiles']>,
  'state' | 'kind' | 'columns' | 'mapping' | 'constants' | 'evidence' | 'choices'
> & {
  state: ImportState | 'reading'
  kind: ImportKind | null
  columns: string[]
  mapping: Mapping | null
  constants: Record<string, string> | null
  /** By column, in order; null for imports from an older version. */
  evidence: ColumnEvidence[] | null
  choices: { countryColumn?: string | null; formats?: Formats } | null
}

type StoredRow = Selectable<Tables['importRows']>
/** A waiting row of a file. */
export type FileRow = Pick<StoredRow, 'number' | 'line' | 'fault' | 'cells' | 'phones'> & {
  cells: string[]
  phones: string[]
}
type Key = Pick<StoredRow, 'workspaceId' | 'importId'>

const ofImport = (ctx: Context, id: string) =>
  db
    .selectFrom('importFiles')
    .selectAll()
    .where('workspaceId', '=', ctx.workspace.id)
    .where('id', '=', id)
    .where('state', '<>', 'reading')

export const findImport = (ctx: Context, id: string): Promise<ImportRow | undefined> =>
  ctx.tx.first(ofImport(ctx, id)) as Promise<ImportRow | undefined>

export const findImportForUpdate = (ctx: Context, id: string): Promise<ImportRow | undefined> =>
  ctx.tx.first(ofImport(ctx, id).forUpdate()) as Promise<ImportRow | undefined>

/** Returns the newest imports of the workspace. */
export const listImportRowsNewestFirst = (ctx: Context, limit: number): Promise<ImportRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('importFiles')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('state', '<>', 'reading')
      .orderBy('id', 'desc')
      .limit(limit),
  ) as Promise<ImportRow[]>

export const insertImport = (
  ctx: Context,
  { id, filename }: { id: string; filename: string },
): Promise<number> =>
  ctx.tx.run(
    db.insertInto('importFiles').values({
      workspaceId: ctx.workspace.id,
      id,
      filename,
      columns: json([]),
      state: 'reading',
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
  )

export type ImportChange = Partial<
  Omit<ImportRow, 'workspaceId' | 'id' | 'filename' | 'createdAt' | 'updatedAt'>
>

export const updateImport = (
  ctx: Context,
  id: string,
  change: ImportChange,
): Promise<ImportRow | undefined> => {
  const { columns, mapping, constants, evidence, choices, ...plainColumns } = change
  return ctx.tx.first(
    db
      .updateTable('importFiles')
      .set({
        ...plainColumns,
        ...(columns ? { columns: json(columns) } : {}),
        ...(mapping ? { mapping: json(mapping) } : {}),
        ...(constants ? { constants: json(constants) } : {}),
        ...(evidence ? { evidence: json(evidence) } : {}),
        ...(choices ? { choices: json(choices) } : {}),
        updatedAt: ctx.now,
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .returningAll(),
  ) as Promise<ImportRow | undefined>
}

/** Deletes an import with its rows (`erase_import_rows`). */
export const deleteImport = (tx: Tx, { workspaceId, importId }: Key): Promise<unknown> =>
  tx.run(db.deleteFrom('importFiles').where('workspaceId', '=', workspaceId).where('id', '=', importId))

/** Deletes idle imports beyond the newest `limit`. */
export const deleteImportsBeyond = (ctx: Context, limit: number): Promise<unknown> =>
  ctx.tx.sql(
    `delete from import_files where workspace_id = $1 and state not in ('reading', 'checking', 'running') and id in
       (select id from import_files where workspace_id = $1 order by id desc offset $2)`,
    [ctx.workspace.id, limit],
  )

/** Deletes old imports of all workspaces, a bounded number. */
export const deleteOldImports = (query: Query, before: Date, limit: number): Promise<unknown[]> =>
  query(
    `delete from import_files f using
       (select workspace_id, id from import_files where created_at < $1 order by created_at limit $2) old
     where f.workspace_id = old.workspace_id and f.id = old.id returning f.id`,
    [before, limit],
  )

export const insertFileRows = (tx: Tx, { workspaceId, importId }: Key, rows: FileRow[]): Promise<unknown> =>
  tx.sql(
    `insert into import_rows (workspace_id, import_id, number, line, cells, phones, fault)
     select $1, $2, number, line, cells, phones, fault
     from jsonb_to_recordset($3) as r(number int, line int, cells jsonb, phones jsonb, fault text)`,
    [workspaceId, importId, json(rows)],
  )

/** Rows from an older version have cells by column. */
type StoredCells = Pick<StoredRow, 'cells'> & { cells: string[] | Record<string, string> }

const cellsInOrder = ({ cells }: StoredCells, columns: readonly string[]): string[] =>
  Array.isArray(cells) ? cells : columns.map((name) => cells[name] ?? '')

/** A number below every row's number. */
export const BEFORE_ALL_ROWS = -1_000_000

/** Returns the rows of an import after `done`, in order. */
export const listFileRows = async (
  ctx: Context,
  { id, columns }: Pick<ImportRow, 'id' | 'columns'>,
  { done, limit }: { done: number; limit: number },
): Promise<FileRow[]> =>
  (
    await ctx.tx.sql<Omit<FileRow, 'cells'> & StoredCells>(
      `select number, line, cells, phones, fault from import_rows
       where workspace_id = $1 and import_id = $2 and number > $3 order by number limit $4`,
      [ctx.workspace.id, id, done, limit],
    )
  ).map((row) => ({ ...row, cells: cellsInOrder(row, columns) }))

/** The result of a row. */
export type RowResult = Pick<StoredRow, 'number' | 'phone' | 'reason'> & {
  outcome: 'created' | 'updated' | 'refused'
}

/** Stores the results of rows. Returns how many of the rows still exist. */
export const updateFileRows = async (ctx: Context, importId: string, results: RowResult[]): Promise<number> =>
  (
    await ctx.tx.sql(
      `update import_rows r set outcome = o.outcome, phone = o.phone, reason = o.reason
       from jsonb_to_recordset($3) as o(number int, outcome text, phone text, reason text)
       where r.workspace_id = $1 and r.import_id = $2 and r.number = o.number returning r.number`,
      [ctx.workspace.id, importId, json(results)],
    )
  ).length

/** Deletes imported rows. Returns how many still existed. */
export const deleteFileRows = async (ctx: Context, importId: string, numbers: number[]): Promise<number> =>
  (
    await ctx.tx.sql(
      `delete from import_rows where workspace_id = $1 and import_id = $2 and number = any($3::int[]) returning number`,
      [ctx.workspace.id, importId, plainList(numbers)],
    )
  ).length

/** Deletes rows that aren't data: the heading and the rows above it. */
export const deleteRowsAbove = (
  ctx: Context,
  { id, heading }: Pick<ImportRow, 'id' | 'heading'>,
): Promise<unknown> =>
  ctx.tx.run(
    db
      .deleteFrom('importRows')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('importId', '=', id)
      .where('number', '<=', heading),
  )

/** Returns those of `phones` that an earlier row of the same dry run would have stored. */
export const listPhonesCreated = async (
  ctx: Context,
  importId: string,
  { before, phones }: { before: number; phones: string[] },
): Promise<string[]> =>
  (
    await ctx.tx.all(
      db
        .selectFrom('importRows')
        .select('phone')
        .distinct()
        .where('workspaceId', '=', ctx.workspace.id)
        .where('importId', '=', importId)
        .where('outcome', '=', 'created')
        .where('phone', '=', sql<string>`any(${phones}::text[])`)
        .where('number', '<=', before)
        .$narrowType<{ phone: NotNull }>(),
    )
  ).map(({ phone }) => phone)

export type RefusedRow = Pick<FileRow, 'number' | 'line' | 'cells' | 'fault'> & {
  reason: NonNullable<StoredRow['reason']>
}

/** Returns refused rows up to `done`, the position of the last dry run or run. */
export const listRefusedRows = async (
  ctx: Context,
  { id, columns, done }: Pick<ImportRow, 'id' | 'columns' | 'done'>,
  { after, limit }: { after: number; limit: number },
): Promise<RefusedRow[]> =>
  (
    await ctx.tx.sql<Omit<RefusedRow, 'cells'> & StoredCells>(
      `select number, line, cells, fault, reason from import_rows
       where workspace_id = $1 and import_id = $2 and outcome = 'refused' and number > $3 and number <= $4
       order by number limit $5`,
      [ctx.workspace.id, id, after, done, limit],
    )
  ).map((row) => ({ ...row, cells: cellsInOrder(row, columns) }))
