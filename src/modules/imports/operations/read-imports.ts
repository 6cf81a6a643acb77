import type { z } from 'zod'
import type { Context, OutsideContext } from '../../../core/context.ts'
import { csvLine } from '../../../core/csv.ts'
import type { Pieces } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { listContactFields } from '../../contacts/operations/contact-fields.ts'
import { ATTRIBUTES_MAX } from '../../contacts/schema.ts'
import {
  findImport,
  findImportForUpdate,
  type ImportRow,
  listFileRows,
  listImportRowsNewestFirst,
  listRefusedRows,
} from '../queries.ts'
import { type Import, type ImportState, SAMPLE_ROWS } from '../schema.ts'
import { guessMapping } from './guess-mapping.ts'

/** Imports that a workspace keeps; older ones go when the next file comes. */
export const MAX_KEPT = 20
const REFUSED_AT_ONCE = 1_000

const missing = (): never =>
  refuse('not_found', 'Import not found. It may have been deleted after some days.')

export const getImport = async (ctx: Context, id: string): Promise<ImportRow> =>
  (isUuid(id) ? await findImport(ctx, id) : undefined) ?? missing()

export const getImportForUpdate = async (ctx: Context, id: string): Promise<ImportRow> =>
  (isUuid(id) ? await findImportForUpdate(ctx, id) : undefined) ?? missing()

/** Custom fields that were declared: as many as a contact may have. */
export const declaredFields = async (ctx: Context) =>
  (await listContactFields(ctx, { limit: ATTRIBUTES_MAX })).rows

/** An import as replies carry it, with rows that are still here and what its columns seem to be. */
export async function showImport(ctx: Context, row: ImportRow): Promise<z.input<typeof Import>> {
  const [rows, declared] = await Promise.all([
    listFileRows(ctx, row.id, { done: 0, limit: SAMPLE_ROWS }),
    declaredFields(ctx),
  ])
  const sample = rows.map(({ cells }) => cells)
  const seen = { columns: row.columns, sample, declared, countryCode: ctx.workspace.countryCode }
  const guess = { contacts: guessMapping('contacts', seen), leads: guessMapping('leads', seen) }
  return { ...presentImport(row), sample, guess }
}

const presentImport = (row: ImportRow) => ({
  id: row.id,
  filename: row.filename,
  state: row.state as ImportState,
  kind: row.kind,
  columns: row.columns,
  mapping: row.mapping,
  constants: row.constants,
  rows: row.rows,
  done: row.done,
  created: row.created,
  updated: row.updated,
  refused: row.refused,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The imports of the last days, newest first, without their rows. */
export const listImports = async (ctx: Context) =>
  (await listImportRowsNewestFirst(ctx, MAX_KEPT)).map(presentImport)

/** The rows that the last dry run or run refused, as CSV: why, and then their cells as they came. */
export async function exportRefused(transaction: OutsideContext['transaction'], id: string): Promise<Pieces> {
  const { columns, done, filename } = await transaction((ctx) => getImport(ctx, id))
  async function* text(): AsyncIterable<string> {
    yield csvLine(['Line', 'Reason', ...columns])
    for (let after = 0; ; ) {
      const page = { after, done, limit: REFUSED_AT_ONCE }
      const rows = await transaction((ctx) => listRefusedRows(ctx, id, page))
      if (rows.length > 0)
        yield rows
          .map(({ line, reason, cells }) =>
            csvLine([line, reason, ...columns.map((name) => cells[name] ?? '')]),
          )
          .join('')
      if (rows.length < REFUSED_AT_ONCE) return
      after = rows.at(-1)!.number
    }
  }
  const name = filename.replace(/\.[^.]*$/, '').replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '') || 'import'
  return { contentType: 'text/csv; charset=utf-8', filename: `${name} refused.csv`, text: text() }
}
