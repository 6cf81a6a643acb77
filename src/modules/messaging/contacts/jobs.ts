/** Background work on contacts. */
import { z } from 'zod'
import { later, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { job } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { mergeContacts } from './operations/merge-contacts.ts'
import {
  deleteTagChange,
  findFirstTagChangeForUpdate,
  readRunningTransactions,
  retagContactRows,
  type TagChange,
  updateTagChange,
} from './queries/tags.ts'

/** Contacts per step. A step's transaction takes about ten milliseconds. */
const MAX_STEP = 1_000
/** PostgreSQL ends every transaction long before this time (database/pool.ts). */
const MAX_FENCE_MS = 3 * MINUTE_MS

/** Applies a renamed or removed tag to the contacts, a bounded number per step (DECISIONS.md "Tags"). */
export const retagContacts = job({
  name: 'retag_contacts',
  payload: z.object({}),
  retrySeconds: [1, 5, 30, 120, 600, 3600],
  async run(ctx) {
    const change = await findFirstTagChangeForUpdate(ctx)
    if (!change) return
    if (await mayBegin(ctx, change)) {
      const reached = await retagContactRows(ctx, change, MAX_STEP)
      if (reached === undefined) await deleteTagChange(ctx, change.id)
      else await updateTagChange(ctx, change.id, { reached })
      await enqueue(ctx, retagContacts, {})
    } else await enqueue(ctx, retagContacts, {}, later(ctx.now, SECOND_MS))
  },
})

/**
 * Returns whether every transaction that could have written the old name before the change was visible has
 * ended. Otherwise the walk would miss contacts that they commit later. Each of them has a lower transaction
 * id than the first step.
 */
async function mayBegin(ctx: Context, change: TagChange): Promise<boolean> {
  if (change.reached !== null) return true
  const { own, lowest } = await readRunningTransactions(ctx)
  if (change.fence === null) await updateTagChange(ctx, change.id, { fence: own })
  // Transaction ids start again after a backup is restored. Then only the time decides.
  return lowest >= (change.fence ?? own) || later(change.createdAt, MAX_FENCE_MS) < ctx.now
}

/**
 * Merges two contacts of one person in a separate transaction. A batch that discovers the duplicate already
 * has locks that a merge must take first. Waiting loses nothing that arrives for either contact meanwhile.
 */
export const mergeTwoContacts = job({
  name: 'merge_contacts',
  payload: z.object({ keptId: z.string(), mergedId: z.string() }),
  retrySeconds: [1, 5, 30, 120, 600, 3600],
  async run(ctx, { keptId, mergedId }) {
    await mergeContacts(ctx, [{ ctx, keptId, mergedId }])
  },
})
