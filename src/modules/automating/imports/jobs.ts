/** Background work on imports. */
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import { job } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { rehearseRows, takeRows } from './operations/take-rows.ts'
import {
  deleteRowsAbove,
  findImportForUpdate,
  type ImportRow,
  listFileRows,
  type RowResult,
  updateImport,
} from './queries.ts'

/** Rows per step. A step's transaction takes some hundred milliseconds at most. */
const STEP_ROWS = 250

const Payload = z.object({ importId: z.string(), run: z.int() })

/** Returns the import if this job is still the one that processes it. */
async function inHand(
  ctx: Context,
  { importId, run }: z.output<typeof Payload>,
): Promise<ImportRow | undefined> {
  const row = await findImportForUpdate(ctx, importId)
  const isUnderWay = row?.state === 'checking' || row?.state === 'running'
  return row?.run === run && isUnderWay ? row : undefined
}

const countOf = (results: RowResult[], outcome: RowResult['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length

/**
 * Processes an import in batches. The progress commits in the transaction of the batch, so that no row counts
 * twice after a crash.
 */
export const importFileRows = job({
  name: 'take_import_in',
  payload: Payload,
  retrySeconds: [1, 5, 30, 120, 600],
  async run(ctx, payload) {
    const row = await inHand(ctx, payload)
    if (!row) return
    touch(ctx, { import: row.id })
    const rows = await listFileRows(ctx, row, { done: row.done, limit: STEP_ROWS })
    if (rows.length > 0) {
      const { results, people } =
        row.state === 'checking'
          ? await rehearseRows(ctx, row, rows)
          : { results: await takeRows(ctx, row, rows), people: 0 }
      await updateImport(ctx, row.id, {
        done: rows.at(-1)!.number,
        created: row.created + countOf(results, 'created'),
        updated: row.updated + countOf(results, 'updated'),
        refused: row.refused + countOf(results, 'refused'),
        people: row.people + people,
      })
    }
    if (rows.length === STEP_ROWS) await enqueue(ctx, importFileRows, payload)
    else {
      if (row.state === 'running') await deleteRowsAbove(ctx, row)
      await updateImport(ctx, row.id, {
        done: row.rows,
        state: row.state === 'checking' ? 'checked' : 'done',
      })
    }
  },
  async giveUp(ctx, payload) {
    const row = await inHand(ctx, payload)
    if (!row) return
    touch(ctx, { import: row.id })
    const passed = row.done - row.heading
    const error = `The import stopped after row ${passed}. All rows up to there are imported. Start it again for the rest.`
    await updateImport(
      ctx,
      row.id,
      row.state === 'checking'
        ? { state: 'ready', error: `The dry run stopped after row ${passed}. Start it again.` }
        : { state: 'failed', error },
    )
  },
})
