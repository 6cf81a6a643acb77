/**
 * Imports a CSV file, one list of rows per transaction (src/modules/automating/imports/DECISIONS.md). The
 * progress commits with the rows, so a stopped import continues where it stopped and imports no row twice.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../core/context.ts'
import { csvLine } from '../../core/values/csv.ts'
import {
  type ColumnEvidence,
  noEvidence,
  recordCell,
} from '../../modules/automating/imports/operations/cells/column-evidence.ts'
import type { RowReading } from '../../modules/automating/imports/operations/field-values.ts'
import { completeMapping } from '../../modules/automating/imports/operations/guess-mapping.ts'
import { choiceIssues } from '../../modules/automating/imports/operations/import-choices.ts'
import { takeIn } from '../../modules/automating/imports/operations/import-rows.ts'
import { declaredFields } from '../../modules/automating/imports/operations/read-imports.ts'
import {
  openTable,
  rowFault,
  type Table,
  type TableChoices,
  type TableRow,
} from '../../modules/automating/imports/operations/read-table.ts'
import { rowReading } from '../../modules/automating/imports/operations/row-reading.ts'
import type { Formats, ImportKind } from '../../modules/automating/imports/schema.ts'
import { forgetProgress, type Progress, readProgress, writeProgress } from './import-progress.ts'

const BATCH_SIZE = 250
const LOG_EVERY = 5_000

export type Import = {
  database: Database
  workspace: Workspace
  file: string
  kind: ImportKind
  /** Columns by field, as the person gave them. */
  columnsByField: ReadonlyMap<string, string>
  /** The source of leads whose row names none. */
  source: string | undefined
  table: TableChoices
  countryColumn: string | null | undefined
  formats: Formats
  report: string
  again: boolean
  say: (line: string) => void
}

export type Imported = { rows: number; created: number; known: number; refused: number; resumedAt: number }

/** Imports the rows of a file from the stored progress; reports its progress now and then. */
export async function importFile(job: Import): Promise<Imported> {
  const { database, workspace, file, say } = job
  const table = await openTable({ stream: () => createReadStream(file) }, job.table)
  const digest = await digestOf(file, readingChoices(job))
  const reading = await readingOf(job, table)
  const initialProgress = await database.tenant(workspace, async ({ tx }) => {
    if (job.again) await forgetProgress(tx, workspace.id, digest)
    return readProgress(tx, workspace.id, digest, systemClock.now())
  })
  if (initialProgress.passed > 0) say(`continuing after row ${initialProgress.passed}`)
  let progress = initialProgress
  let rowCount = 0
  let batch: TableRow[] = []
  const flush = async () => {
    if (batch.length === 0) return
    progress = await importBatch(job, { digest, columns: table.columns, reading }, progress, batch)
    batch = []
  }
  for await (const row of table.rows()) {
    if (row.number < 1) continue
    rowCount++
    if (rowCount <= initialProgress.passed) continue
    batch.push(row)
    if (batch.length === BATCH_SIZE) await flush()
    if (rowCount % LOG_EVERY === 0)
      say(`${rowCount} rows: ${progress.created} new, ${progress.refused} rejected`)
  }
  await flush()
  const { created, known, refused } = progress
  return { rows: rowCount, created, known, refused, resumedAt: initialProgress.passed }
}

/** Determines how rows are read, from the given columns and all values of the file. */
async function readingOf(job: Import, { columns, rows }: Table): Promise<RowReading> {
  const { workspace, kind, columnsByField, countryColumn, formats } = job
  const evidence: ColumnEvidence[] = columns.map(noEvidence)
  for await (const { number, cells, fault } of rows())
    if (number > 0 && fault === undefined)
      for (const [place, column] of evidence.entries()) recordCell(column, cells[place] ?? '')
  const [issue] = choiceIssues({ countryColumn, formats }, columns)
  if (issue)
    throw new Error(
      `${issue.path.replace(/^formats\./, '')}: ${issue.message} Columns: ${columns.join(', ')}.`,
    )
  return job.database.tenant(workspace, async (unit) => {
    const now = systemClock.now()
    const declared = await declaredFields(platformContext(unit, workspace, systemClock, 'import'))
    return rowReading({
      columns,
      evidence,
      mapping: completeMapping(kind, { columns, evidence }, { said: columnsByField, declared }),
      constants: job.source === undefined ? {} : { source: job.source },
      countryColumn,
      formats,
      declared,
      workspace,
      now,
      keepsAll: true,
    })
  })
}

type Reading = { digest: Buffer; columns: readonly string[]; reading: RowReading }

async function importBatch(
  job: Import,
  { digest, columns, reading }: Reading,
  expected: Progress,
  rows: TableRow[],
): Promise<Progress> {
  const { database, workspace, kind } = job
  return database.tenant(workspace, async (unit) => {
    const now = systemClock.now()
    const stored = await readProgress(unit.tx, workspace.id, digest, now)
    if (stored.passed !== expected.passed)
      throw new Error('Another process is importing this file. Wait until it is done.')
    const ctx: Context = platformContext(unit, workspace, systemClock, 'import')
    const parsedRows = rows.map((row) => ({ cells: row.cells, fault: rowFault(row, columns) }))
    const outcomes = await takeIn(ctx, parsedRows, { kind, reading, addTags: false })
    const refused = outcomes.flatMap((outcome, i) =>
      typeof outcome === 'object' ? [reportLine(rows[i]!, columns, outcome.refused)] : [],
    )
    // Before the commit: after a crash, a line may appear twice, but none is missing.
    if (refused.length > 0) await appendFile(job.report, refused.join(''), { mode: 0o600 })
    const count = (result: (typeof outcomes)[number]) =>
      outcomes.filter((outcome) => outcome === result).length
    const progress = {
      passed: stored.passed + rows.length,
      created: stored.created + count('created'),
      known: stored.known + count('known'),
      refused: stored.refused + refused.length,
    }
    await writeProgress(unit.tx, workspace.id, digest, now, progress)
    return progress
  })
}

/**
 * Returns the report line of a refused row, with its cells by column; extra cells, and the text of an unreadable row, are under
 * the name ''.
 */
function reportLine({ line, cells, fault }: TableRow, columns: readonly string[], reason: string): string {
  const byColumn = fault === undefined ? columns.map((name, place) => [name, cells[place] ?? '']) : []
  const rest = cells.slice(byColumn.length).filter((cell) => cell !== '')
  const values = Object.fromEntries([...byColumn, ...(rest.length > 0 ? [['', rest.join(' | ')]] : [])])
  return csvLine([line, reason, JSON.stringify(values)])
}

/** Returns the choices that change how the file is read: another reading is another import. */
const readingChoices = ({ kind, columnsByField, source, table, countryColumn, formats }: Import): string => {
  const choices = { table, countryColumn, formats }
  const isPlain = JSON.stringify(choices) === JSON.stringify({ table: {}, formats: {} })
  return JSON.stringify([kind, [...columnsByField].sort(), source ?? null, ...(isPlain ? [] : [choices])])
}

async function digestOf(file: string, reading: string): Promise<Buffer> {
  const hash = createHash('sha256').update(`${reading}\n`)
  await pipeline(createReadStream(file), hash)
  return hash.digest()
}
