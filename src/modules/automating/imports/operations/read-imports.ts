import { z } from 'zod'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { customerText, shownTo } from '../../../../core/customer-details.ts'
import type { Pieces } from '../../../../core/endpoint.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { csvLine } from '../../../../core/values/csv.ts'
import { listContactFields } from '../../../messaging/contacts/operations/contact-fields.ts'
import { ATTRIBUTES_MAX } from '../../../messaging/contacts/schema.ts'
import {
  type FileRow,
  findImport,
  findImportForUpdate,
  type ImportRow,
  listFileRows,
  listImportRowsNewestFirst,
  listRefusedRows,
} from '../queries.ts'
import { type Import, type ImportState, SAMPLE_ROWS } from '../schema.ts'
import { countryColumn, guessMapping } from './guess-mapping.ts'

/** Imports that a workspace keeps. The next upload deletes older ones. */
export const MAX_KEPT = 20
const REFUSED_AT_ONCE = 1_000
/** The reason and the cells of a rejected row. */
const RefusedLine = z.array(customerText(z.string()))

const refuseMissing = (): never =>
  refuse('not_found', 'Import not found. Imports are deleted after some days.')

export const getImport = async (ctx: Context, id: string): Promise<ImportRow> =>
  (isUuid(id) ? await findImport(ctx, id) : undefined) ?? refuseMissing()

export const getImportForUpdate = async (ctx: Context, id: string): Promise<ImportRow> =>
  (isUuid(id) ? await findImportForUpdate(ctx, id) : undefined) ?? refuseMissing()

/** Returns the declared custom fields, at most as many as a contact may have. */
export const declaredFields = async (ctx: Context) =>
  (await listContactFields(ctx, { limit: ATTRIBUTES_MAX })).rows

/** Returns rows in the form for pages: cells by column name. */
export const sampleOf = (rows: readonly FileRow[], columns: readonly string[]): Record<string, string>[] =>
  rows.map(({ cells }) => Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? ''])))

/** Returns the guessed meaning of a file's columns. */
export async function guessOf(ctx: Context, { columns, evidence }: Pick<ImportRow, 'columns' | 'evidence'>) {
  const declared = await declaredFields(ctx)
  const columnsRead = { columns, evidence: evidence ?? [] }
  return {
    contacts: guessMapping('contacts', columnsRead, declared),
    leads: guessMapping('leads', columnsRead, declared),
  }
}

/**
 * Returns an import in the form for responses, with its remaining rows and the guessed meaning of its
 * columns.
 */
export async function showImport(ctx: Context, row: ImportRow): Promise<z.input<typeof Import>> {
  const [rows, guess] = await Promise.all([
    listFileRows(ctx, row, { done: row.heading, limit: SAMPLE_ROWS }),
    guessOf(ctx, row),
  ])
  return { ...presentImport(row), sample: sampleOf(rows, row.columns), guess }
}

const presentImport = (row: ImportRow) => ({
  id: row.id,
  filename: row.filename,
  state: row.state as ImportState,
  kind: row.kind,
  encoding: row.encoding,
  headingLine: row.headingLine,
  columns: row.columns,
  countryColumn: countryColumnOf(row),
  mapping: row.mapping,
  constants: row.constants,
  formats: row.choices?.formats ?? {},
  rows: row.rows - row.heading,
  done: Math.max(0, row.done - row.heading),
  created: row.created,
  updated: row.updated,
  refused: row.refused,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns the chosen country column, or the guessed one. */
const countryColumnOf = ({ columns, evidence, choices }: ImportRow): string | null =>
  choices?.countryColumn === undefined
    ? countryColumn({ columns, evidence: evidence ?? [] })
    : choices.countryColumn

/** Returns the imports of the last days, newest first, without their rows. */
export const listImports = async (ctx: Context) =>
  (await listImportRowsNewestFirst(ctx, MAX_KEPT)).map(presentImport)

/**
 * Returns a cell for each column, and all further cells; none for a row that couldn't be split into cells.
 */
const refusedCells = (cells: string[], fault: string | null, width: number): string[] =>
  fault !== null && cells.length <= 1
    ? Array.from({ length: width }, () => '')
    : [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => '')]

/** Exports the rows that the last dry run or run refused as CSV: the reason, then the original cells. */
export async function exportRefused(transaction: OutsideContext['transaction'], id: string): Promise<Pieces> {
  const row = await transaction((ctx) => getImport(ctx, id))
  const { columns, filename } = row
  async function* text(): AsyncIterable<string> {
    yield csvLine(['Line', 'Reason', ...columns])
    for (let after = 0; ; ) {
      const page = { after, limit: REFUSED_AT_ONCE }
      const rows = await transaction(async (ctx) =>
        (await listRefusedRows(ctx, row, page)).map(({ line, reason, cells, fault, number }) => ({
          number,
          // The cells of a file are of any kind, so everything like a number or an address is masked.
          shownCells: shownTo(ctx, RefusedLine, [reason, ...refusedCells(cells, fault, columns.length)]),
          line,
        })),
      )
      if (rows.length > 0) yield rows.map(({ line, shownCells }) => csvLine([line, ...shownCells])).join('')
      if (rows.length < REFUSED_AT_ONCE) return
      after = rows.at(-1)!.number
    }
  }
  const name = filename.replace(/\.[^.]*$/, '').replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '') || 'import'
  return { contentType: 'text/csv; charset=utf-8', filename: `${name} refused.csv`, text: text() }
}
