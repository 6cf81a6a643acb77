/**
 * Takes a CSV file in, a list of rows a transaction (docs/decisions/backup.md). How far it is commits with the rows, so an
 * import that was stopped goes on where it stopped and takes no row twice.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../core/context.ts'
import { csvLine } from '../../core/csv.ts'
import { encodingCheck } from '../../modules/imports/operations/csv/encoding.ts'
import { type CsvRow, readRows } from '../../modules/imports/operations/csv/read-rows.ts'
import type { TextSource } from '../../modules/imports/operations/csv/text-lines.ts'
import type { RowOutcome } from '../../modules/imports/operations/take-together.ts'
import { forgetProgress, type Progress, readProgress, writeProgress } from './import-progress.ts'

const LIST = 250
const LOG_EVERY = 5_000

export type TakeRows = (ctx: Context, rows: CsvRow[]) => Promise<RowOutcome[]>

export type Import = {
  database: Database
  workspace: Workspace
  file: string
  /** What else decides how the file is read: another reading is another import. */
  reading: string
  take: TakeRows
  report: string
  again: boolean
  say: (line: string) => void
}

export type Imported = { rows: number; created: number; known: number; refused: number; resumedAt: number }

/** Takes the rows of a file in, from where it stopped before; says how it goes now and then. */
export async function importFile(job: Import): Promise<Imported> {
  const { database, workspace, file, say } = job
  const digest = await digestOf(file, job.reading)
  const begun = await database.tenant(workspace, async ({ tx }) => {
    if (job.again) await forgetProgress(tx, workspace.id, digest)
    return readProgress(tx, workspace.id, digest, systemClock.now())
  })
  if (begun.passed > 0) say(`going on after row ${begun.passed}, which was reached before`)
  let progress = begun
  let seen = 0
  let list: CsvRow[] = []
  const flush = async () => {
    if (list.length === 0) return
    progress = await takeList(job, digest, progress, list)
    list = []
  }
  for await (const row of readRows(await sourceOf(file))) {
    seen++
    if (seen <= begun.passed) continue
    list.push(row)
    if (list.length === LIST) await flush()
    if (seen % LOG_EVERY === 0) say(`${seen} rows: ${progress.created} new, ${progress.refused} refused`)
  }
  await flush()
  const { created, known, refused } = progress
  return { rows: seen, created, known, refused, resumedAt: begun.passed }
}

async function takeList(job: Import, digest: Buffer, expected: Progress, rows: CsvRow[]): Promise<Progress> {
  const { database, workspace } = job
  return database.tenant(workspace, async (unit) => {
    const now = systemClock.now()
    const there = await readProgress(unit.tx, workspace.id, digest, now)
    if (there.passed !== expected.passed)
      throw new Error('Another process is importing this file. Wait until it is done.')
    const ctx = platformContext(unit, workspace, systemClock, 'import')
    const outcomes = await job.take(ctx, rows)
    const refused = outcomes.flatMap((outcome, i) =>
      typeof outcome === 'object' ? [reportLine(rows[i]!, outcome.refused)] : [],
    )
    // Before the commit: a line may come twice after a crash, none is missing.
    if (refused.length > 0) await appendFile(job.report, refused.join(''), { mode: 0o600 })
    const count = (what: RowOutcome) => outcomes.filter((outcome) => outcome === what).length
    const progress = {
      passed: there.passed + rows.length,
      created: there.created + count('created'),
      known: there.known + count('known'),
      refused: there.refused + refused.length,
    }
    await writeProgress(unit.tx, workspace.id, digest, now, progress)
    return progress
  })
}

const reportLine = ({ line, values }: CsvRow, reason: string): string =>
  csvLine([line, reason, JSON.stringify(values)])

const HEAD_BYTES = 64 * 1024

async function sourceOf(path: string): Promise<TextSource> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    return { head: buffer.subarray(0, bytesRead), stream: () => createReadStream(path) }
  } finally {
    await handle.close()
  }
}

async function digestOf(file: string, reading: string): Promise<Buffer> {
  const hash = createHash('sha256').update(`${reading}\n`)
  const encoding = encodingCheck()
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk)
      encoding.look(chunk)
    }
  })
  encoding.end()
  return hash.digest()
}
