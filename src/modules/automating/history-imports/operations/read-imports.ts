import type { z } from 'zod'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { Pieces } from '../../../../core/endpoint.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { csvLine } from '../../../../core/values/csv.ts'
import {
  findHistoryImport,
  findHistoryImportForUpdate,
  type HistoryImportRow,
  listHistoryImportRows,
  listLeftOutRows,
} from '../queries.ts'
import type { HistoryImport, HistoryImportState } from '../schema.ts'

/** Imports that a list shows. */
const MAX_LISTED = 50
const ROWS_AT_ONCE = 1_000

const refuseMissing = (): never => refuse('not_found', 'Import not found. Imports are deleted after 30 days.')

const visible = (row: HistoryImportRow | undefined): HistoryImportRow =>
  row === undefined || row.state === 'reading' ? refuseMissing() : row

export const getHistoryImport = async (ctx: Context, id: string): Promise<HistoryImportRow> =>
  visible(isUuid(id) ? await findHistoryImport(ctx, id) : undefined)

export const getHistoryImportForUpdate = async (ctx: Context, id: string): Promise<HistoryImportRow> =>
  visible(isUuid(id) ? await findHistoryImportForUpdate(ctx, id) : undefined)

/** Returns an import in the form for responses. */
export const presentHistoryImport = (row: HistoryImportRow): z.input<typeof HistoryImport> => ({
  id: row.id,
  source: row.source,
  state: row.state as Exclude<HistoryImportState, 'reading'>,
  phoneNumberId: row.phoneNumberId,
  title: row.title,
  total: row.total,
  read: row.read,
  stored: row.stored,
  known: row.known,
  contacts: row.contacts,
  leftOut: row.leftOut,
  causes: row.causes,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns the imports of the last days, newest first. */
export const listHistoryImports = async (ctx: Context) =>
  (await listHistoryImportRows(ctx, MAX_LISTED)).map(presentHistoryImport)

/** Exports the records that the last run left out, as CSV: kind, place in the source, and cause. */
export async function exportLeftOut(transaction: OutsideContext['transaction'], id: string): Promise<Pieces> {
  const row = await transaction((ctx) => getHistoryImport(ctx, id))
  async function* text(): AsyncIterable<string> {
    yield csvLine(['Kind', 'Place', 'Cause'])
    for (let after = 0; ; ) {
      const rows = await transaction((ctx) => listLeftOutRows(ctx, row.id, { after, limit: ROWS_AT_ONCE }))
      if (rows.length > 0) yield rows.map(({ kind, place, cause }) => csvLine([kind, place, cause])).join('')
      if (rows.length < ROWS_AT_ONCE) return
      after = rows.at(-1)!.number
    }
  }
  return { contentType: 'text/csv; charset=utf-8', filename: 'left out.csv', text: text() }
}
