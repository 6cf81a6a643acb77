import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { importHistory } from '../jobs.ts'
import { deleteLeftOut, findActiveImport, type HistoryImportRow, updateHistoryImport } from '../queries.ts'
import { getHistoryImportForUpdate } from './read-imports.ts'
import { FORGOTTEN } from './run-import.ts'
import { eraseFileOf } from './stored-file.ts'

const NOTHING_READ = { position: null, read: 0, stored: 0, known: 0, contacts: 0, leftOut: 0, causes: {} }

/** Refuses a second run of a source at the same time. */
export async function requireNoActive(
  ctx: Context,
  row: Pick<HistoryImportRow, 'id' | 'source'>,
): Promise<void> {
  const active = await findActiveImport(ctx, row.source, row.id)
  if (active)
    refuse('conflict', 'Another import of this source is running. Wait until it is done, or cancel it.')
}

/**
 * Starts a run or a dry run of an import that waits, in the background unless `isOutside` (a command runs it). A failed run
 * continues where it stopped. Any other starts at the beginning, also after a failed dry run, which has stored nothing.
 */
export async function beginRun(
  ctx: Context,
  row: HistoryImportRow,
  { isDryRun, isOutside = false }: { isDryRun: boolean; isOutside?: boolean },
): Promise<HistoryImportRow> {
  await requireNoActive(ctx, row)
  const continues = (row.state === 'failed' || row.state === 'running') && row.position !== null
  const run = row.run + 1
  if (!continues) await deleteLeftOut(ctx, row.id)
  if (!isOutside) await enqueue(ctx, importHistory, { importId: row.id, run })
  touch(ctx, { import: row.id })
  return updateHistoryImport(ctx, row.id, {
    run,
    state: isDryRun ? 'checking' : 'running',
    error: null,
    ...(continues ? {} : NOTHING_READ),
  })
}

/** Starts an import after its dry run, or again after it failed. Refuses with `conflict` in any other state. */
export async function startHistoryImport(ctx: Context, id: string): Promise<HistoryImportRow> {
  const row = await getHistoryImportForUpdate(ctx, id)
  if (row.state !== 'checked' && row.state !== 'failed')
    refuse('conflict', `This import is ${row.state}. Only a checked or a failed import can be started.`, {
      state: row.state,
    })
  return beginRun(ctx, row, { isDryRun: false })
}

/** Cancels an import. Imported messages stay. Its file, its settings, and its token are deleted. */
export async function cancelHistoryImport(ctx: Context, id: string): Promise<HistoryImportRow> {
  const row = await getHistoryImportForUpdate(ctx, id)
  if (row.state === 'done' || row.state === 'cancelled')
    refuse('conflict', `This import is ${row.state}.`, { state: row.state })
  touch(ctx, { import: row.id })
  const cancelled = await updateHistoryImport(ctx, row.id, { state: 'cancelled', ...FORGOTTEN })
  await eraseFileOf(ctx, row.id)
  return cancelled
}
