/**
 * Uploads a file of people: reads it as a stream and stores its rows in batches of some hundreds
 * (DECISIONS.md).
 */
import type { z } from 'zod'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { invalid, type Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import { readNumber } from '../../../../core/values/phone.ts'
import { storableText } from '../../../../core/values/storable.ts'
import {
  deleteImport,
  deleteImportsBeyond,
  type FileRow,
  insertFileRows,
  insertImport,
  updateImport,
} from '../queries.ts'
import { type Import, MAX_COLUMNS, MAX_ROWS, type NewImport } from '../schema.ts'
import { type ColumnEvidence, noEvidence, recordCell } from './cells/column-evidence.ts'
import { callingCodeOfCell } from './cells/country-cell.ts'
import { numberCandidates } from './cells/number-candidates.ts'
import { unguarded } from './cells/strip-guards.ts'
import { knownEncoding } from './csv/encoding.ts'
import { MAX_KEPT, showImport } from './read-imports.ts'
import { openTable, rowFault, type Table, type TableRow } from './read-table.ts'

/** Maximum number of rows in one statement. Fewer if they are long. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 512 * 1024

const refusal = (message: string): Refusal => invalid([{ path: 'fileBase64', message }])

/** Opens the file. Errors in it are returned to the person. */
async function open(file: SpooledFile, { encoding, delimiter }: NewImport): Promise<Table> {
  try {
    return await openTable(file, { encoding: encoding && knownEncoding(encoding), delimiter })
  } catch (error) {
    throw refusal((error as Error).message)
  }
}

/** Maximum number of countries read in a row. */
const MAX_COUNTRIES = 5

/**
 * Returns every number that a cell can mean, in the workspace's country and in each country that the row
 * names. The mapping decides later.
 */
function phonesIn(cells: readonly string[], countryCode: string): string[] {
  const callingCodes = new Set(cells.flatMap((cell) => callingCodeOfCell(cell) ?? []))
  const countries = [...callingCodes].slice(0, MAX_COUNTRIES)
  const found = new Set<string>()
  for (const cell of cells) {
    if (!/\p{Nd}/u.test(cell)) continue
    const texts = [unguarded(cell).replace(/^'/, ''), ...numberCandidates(cell).map(({ text }) => text)]
    for (const text of new Set(texts))
      for (const country of [undefined, ...countries]) {
        const { fresh, stored } = readNumber(text, { countryCode, country })
        for (const phone of [...stored, ...(fresh === undefined ? [] : [fresh])]) found.add(phone)
      }
  }
  return [...found]
}

function fileRowOf(row: TableRow, columns: readonly string[], countryCode: string): FileRow {
  const cells = row.cells.map(storableText)
  const { number, line } = row
  return { number, line, cells, phones: phonesIn(cells, countryCode), fault: rowFault(row, columns) }
}

/** Yields batches of rows as they are stored, and adds each column's properties to `evidence`. */
async function* batches(
  table: Table,
  countryCode: string,
  evidence: ColumnEvidence[],
): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = []
  let characters = 0
  for await (const row of table.rows()) {
    if (row.number > MAX_ROWS)
      throw refusal(
        `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it into several files.`,
      )
    const next = fileRowOf(row, table.columns, countryCode)
    if (row.number > 0 && row.fault === undefined)
      for (const [place, column] of evidence.entries()) recordCell(column, next.cells[place] ?? '')
    batch.push(next)
    characters += JSON.stringify(next.cells).length
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/**
 * Stores a file and its rows, which wait for a mapping. Refuses with `invalid` and then stores nothing. Rows
 * that a crashed process leaves are never shown, and are deleted with old imports.
 */
export async function uploadImport(
  ctx: AnsweringContext<z.input<typeof Import>>,
  upload: NewImport,
  file: SpooledFile,
): Promise<z.input<typeof Import>> {
  const table = await open(file, upload)
  if (table.columns.length > MAX_COLUMNS) throw refusal(`The file has more than ${MAX_COLUMNS} columns.`)
  const columns = table.columns.map(storableText)
  const evidence = columns.map(noEvidence)
  const id = newId()
  const key = { workspaceId: ctx.workspace.id, importId: id }
  let rows = 0
  await ctx.transaction(async (txCtx) => {
    await insertImport(txCtx, { id, filename: storableText(upload.filename) })
    await deleteImportsBeyond(txCtx, MAX_KEPT)
  })
  try {
    for await (const batch of batches(table, ctx.workspace.countryCode, evidence)) {
      await ctx.transaction(({ tx }) => insertFileRows(tx, key, batch))
      rows = batch.at(-1)!.number
    }
    if (rows < 1) throw refusal('The file has no rows below the line that names the columns.')
    return await ctx.lastTransaction(async (txCtx) => {
      touch(txCtx, { import: id })
      const headingLine = table.heading?.line ?? null
      const read = { columns, evidence, rows, headingLine, encoding: table.encoding }
      return showImport(txCtx, (await updateImport(txCtx, id, { ...read, state: 'ready' }))!)
    })
  } catch (error) {
    await ctx.transaction(({ tx }) => deleteImport(tx, key))
    throw error
  }
}
