/** Reads a source batch by batch, and stores each batch with the position after it (DECISIONS.md). */
import { MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import type { HistoryBatch, HistoryFile, OpenHistory, SourceTools } from '../history-source.ts'
import { HistoryFault, UNLISTED_CAUSES } from '../history-source.ts'
import {
  findHistoryImport,
  findHistoryImportForUpdate,
  type HistoryImportRow,
  insertLeftOut,
  isWorkspacePaused,
  updateHistoryImport,
} from '../queries.ts'
import { sourceNamed } from '../sources/all-sources.ts'
import { applyRecords, rehearseRecords } from './apply-records.ts'
import { storedFile } from './stored-file.ts'

/** An import reports this many records; the counts by cause are always complete. */
export const MAX_LEFT_OUT = 10_000
/** A run gives its place to other work after this time, and continues in its turn. */
const TURN_MS = MINUTE_MS

export type RunKey = { importId: string; run: number }

/** Whether the import is finished, must continue, or belongs to another run. */
export type RunResult = 'finished' | 'continues' | 'ended elsewhere'

const isActive = (row: HistoryImportRow | undefined, run: number): row is HistoryImportRow =>
  row !== undefined && row.run === run && (row.state === 'running' || row.state === 'checking')

type RunOptions = {
  /** The file, if it is not in the media store. */
  file?: HistoryFile
  turnMs?: number
  onProgress?(row: HistoryImportRow): void
}

/**
 * Runs an import from its stored position for some time. The position commits with the records before it, so a killed run
 * continues there, and no record counts twice. A second run of the import ends the first at its next batch.
 */
export async function runHistoryImport(
  tools: SourceTools,
  key: RunKey,
  { file, turnMs = TURN_MS, onProgress }: RunOptions = {},
): Promise<RunResult> {
  const found = await tools.transaction(async (ctx) => {
    const row = await findHistoryImport(ctx, key.importId)
    return row && { row, secret: row.secretSealed && ctx.sealer.open(row.secretSealed) }
  })
  if (!found || !isActive(found.row, key.run)) return 'ended elsewhere'
  const { row, secret } = found
  const opened = {
    importId: row.id,
    phoneNumberId: row.phoneNumberId,
    settings: (row.settings ?? {}) as never,
    secret,
    file: file ?? (row.hasFile ? storedFile(tools, row.id, Number(row.settings?.sizeBytes ?? 0)) : null),
    isDryRun: row.state === 'checking',
  }
  let source: OpenHistory | undefined
  try {
    source = await sourceNamed(row.source).open(tools, opened)
    const startMs = tools.clock.monotonicMs()
    for (let { position } = row; ; ) {
      const batch = await source.next(position)
      const after = await tools.transaction((ctx) => storeBatch(ctx, key, batch))
      if (!after) return 'ended elsewhere'
      onProgress?.(after)
      if (batch.done) return 'finished'
      const isOver = tools.clock.monotonicMs() - startMs > turnMs
      if (isOver || after.isPaused) return 'continues'
      position = batch.position
    }
  } catch (error) {
    if (!(error instanceof HistoryFault)) throw error
    await tools.transaction((ctx) => failHistoryImport(ctx, key, error.message))
    return 'ended elsewhere'
  } finally {
    await source?.close()
  }
}

/** Stores a batch with its position; returns undefined if the run is over. The last batch ends the import. */
async function storeBatch(
  ctx: Context,
  { importId, run }: RunKey,
  batch: HistoryBatch,
): Promise<(HistoryImportRow & { isPaused: boolean }) | undefined> {
  // Before the row: an erasure takes both in this order.
  await holdOffErasures(ctx)
  const row = await findHistoryImportForUpdate(ctx, importId)
  if (!isActive(row, run)) return undefined
  const isDryRun = row.state === 'checking'
  const applied = await (isDryRun ? rehearseRecords : applyRecords)(ctx, row, batch.records)
  const leftOut = [...batch.leftOut, ...applied.leftOut]
  const listed = row.leftOut - UNLISTED_CAUSES.reduce((sum, cause) => sum + (row.causes[cause] ?? 0), 0)
  const reported = leftOut
    .filter(({ cause }) => !UNLISTED_CAUSES.includes(cause))
    .slice(0, Math.max(0, MAX_LEFT_OUT - listed))
  if (reported.length > 0) await insertLeftOut(ctx, row.id, row.leftOut + 1, reported)
  const causes = { ...row.causes }
  for (const { cause } of leftOut) causes[cause] = (causes[cause] ?? 0) + 1
  touch(ctx, { import: row.id })
  const changed = await updateHistoryImport(ctx, row.id, {
    position: batch.position,
    read: row.read + batch.read,
    stored: row.stored + applied.stored,
    known: row.known + applied.known,
    contacts: row.contacts + applied.contacts,
    leftOut: row.leftOut + leftOut.length,
    causes,
    ...(batch.total === undefined ? {} : { total: batch.total }),
    ...(!batch.done ? {} : isDryRun ? { state: 'checked' } : { state: 'done', ...FORGOTTEN }),
  })
  return { ...changed, isPaused: await isWorkspacePaused(ctx, row.id) }
}

/** The columns that an import loses at its end. The caller deletes the file. */
export const FORGOTTEN = { settings: null, secretSealed: null, position: null } as const

/** Stops a run with the reason. It can be started again, and continues where it stopped. */
export async function failHistoryImport(
  ctx: Context,
  { importId, run }: RunKey,
  error: string,
): Promise<void> {
  const row = await findHistoryImportForUpdate(ctx, importId)
  if (!isActive(row, run)) return
  touch(ctx, { import: row.id })
  // A dry run has stored nothing, so that the import begins at the beginning.
  const position = row.state === 'checking' ? { position: null } : {}
  await updateHistoryImport(ctx, row.id, { state: 'failed', error, ...position })
}
