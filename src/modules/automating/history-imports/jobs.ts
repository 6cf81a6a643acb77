/** Background work on imports of past messages. */
import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { failHistoryImport, runHistoryImport } from './operations/run-import.ts'
import { eraseFileOf } from './operations/stored-file.ts'

const Payload = z.object({ importId: z.string(), run: z.int() })

/** Runs an import for a minute, and again in its turn until it is done. */
export const importHistory: ReturnType<typeof outsideJob<typeof Payload>> = outsideJob({
  name: 'importHistory',
  payload: Payload,
  retrySeconds: [1, 5, 30, 120, 600, 1_800],
  async runOutside(tools, key) {
    const result = await runHistoryImport(tools, key)
    return async (ctx) => {
      if (result === 'continues') await enqueue(ctx, importHistory, key)
      if (result === 'finished') await eraseFileOf(ctx, key.importId)
    }
  },
  async giveUp(ctx, key) {
    await failHistoryImport(
      ctx,
      key,
      'The import stopped after repeated errors of the source. Start it again: it continues where it stopped.',
    )
  },
})
