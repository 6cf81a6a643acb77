/** A CSV file comes in: read in a stream, its rows stored some hundreds at a time (docs/decisions/imports.md). */
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import type { AnsweringContext } from '../../../core/endpoint.ts'
import { invalid, type Refusal } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import { parsePhone } from '../../../core/phone.ts'
import type { SpooledFile } from '../../../core/spool.ts'
import { storableText } from '../../../core/storable.ts'
import {
  deleteImport,
  deleteImportsBeyond,
  type FileRow,
  insertFileRows,
  insertImport,
  updateImport,
} from '../queries.ts'
import { type Import, MAX_COLUMNS, MAX_ROWS, type NewImport } from '../schema.ts'
import { encodingCheck } from './csv/encoding.ts'
import { type CsvRow, readRows } from './csv/read-rows.ts'
import { MAX_KEPT, showImport } from './read-imports.ts'
import { unguarded } from './rows-as-bodies.ts'

/** What one statement stores: so many rows, or fewer long ones. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 512 * 1024

const refused = (message: string): Refusal => invalid([{ path: 'fileBase64', message }])

const SPREADSHEET = Buffer.from('PK\x03\x04')

/** Looks at the whole file before a row of it is stored. */
async function checkEncoding(file: SpooledFile): Promise<void> {
  if (file.head.subarray(0, SPREADSHEET.length).equals(SPREADSHEET))
    throw refused('is a spreadsheet. Save it as CSV, which spreadsheets call "CSV UTF-8"')
  const encoding = encodingCheck()
  const look = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) encoding.look(chunk)
  }
  try {
    await pipeline(file.stream(), look)
    encoding.end()
  } catch (error) {
    throw refused((error as Error).message)
  }
}

/** Every cell that can be read as a number; what it is of is said by the mapping. */
function phonesIn(cells: Record<string, string>, countryCode: string): string[] {
  const found = Object.values(cells).flatMap(
    (cell) => parsePhone(unguarded(cell).replace(/^'/, ''), countryCode) ?? [],
  )
  return [...new Set(found)]
}

/**
 * Empty cells are not stored: a short row of a wide table would take a thousand times its length. A column whose name any object
 * has, such as "constructor", keeps them, because it would be found without them.
 */
const isLeftOut = (column: string, cell: string): boolean => cell === '' && !(column in Object.prototype)

function fileRowOf({ line, values, fault }: CsvRow, number: number, countryCode: string): FileRow {
  const cells = Object.fromEntries(
    Object.entries(values).flatMap(([column, cell]) =>
      isLeftOut(column, cell) ? [] : [[column, storableText(cell)]],
    ),
  )
  return { number, line, cells, phones: phonesIn(cells, countryCode), fault: fault ?? null }
}

/** Batches of rows as they are stored; `onColumns` hears the names of the columns first. */
async function* batches(
  file: SpooledFile,
  countryCode: string,
  onColumns: (names: string[]) => void,
): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = []
  let characters = 0
  let number = 0
  for await (const row of readRows(file, onColumns)) {
    number++
    if (number > MAX_ROWS)
      throw refused(`has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it into several files`)
    const next = fileRowOf(row, number, countryCode)
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
 * Stores a file and its rows, which wait to be mapped. Refuses `invalid`, and leaves nothing then; what a dying process
 * leaves is never shown, and goes with the old imports.
 */
export async function uploadImport(
  ctx: AnsweringContext<z.input<typeof Import>>,
  { filename }: NewImport,
  file: SpooledFile,
): Promise<z.input<typeof Import>> {
  await checkEncoding(file)
  const id = newId()
  const key = { workspaceId: ctx.workspace.id, importId: id }
  let columns: string[] = []
  let rows = 0
  await ctx.transaction(async (inside) => {
    await insertImport(inside, { id, filename: storableText(filename) })
    await deleteImportsBeyond(inside, MAX_KEPT)
  })
  try {
    const onColumns = (names: string[]) => {
      if (names.length > MAX_COLUMNS) throw refused(`has more than ${MAX_COLUMNS} columns`)
      columns = names.map(storableText)
    }
    for await (const batch of batches(file, ctx.workspace.countryCode, onColumns)) {
      await ctx.transaction(({ tx }) => insertFileRows(tx, key, batch))
      rows += batch.length
    }
    if (rows === 0) throw refused('has no rows below the line that names the columns')
    return await ctx.lastTransaction(async (inside) => {
      touch(inside, { import: id })
      return showImport(inside, (await updateImport(inside, id, { columns, rows, state: 'ready' }))!)
    })
  } catch (error) {
    await ctx.transaction(({ tx }) => deleteImport(tx, key))
    // The names of the columns could not be read.
    throw error instanceof Error && error.message.startsWith('The first line')
      ? refused(error.message)
      : error
  }
}
