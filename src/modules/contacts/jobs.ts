/** Background work on contacts. */
import { z } from 'zod'
import { later, MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import type { Context } from '../../core/context.ts'
import { enqueue, job } from '../../core/job.ts'
import { mergeContacts } from './operations/merge-contacts.ts'
import {
  deleteTagChange,
  findFirstTagChangeForUpdate,
  readRunningTransactions,
  retagContactRows,
  type TagChange,
  updateTagChange,
} from './queries/tags.ts'

/** Contacts of one step: a transaction of some ten milliseconds. */
const MAX_STEP = 1_000
/** PostgreSQL ends every transaction long before this (database/pool.ts). */
const MAX_FENCE_MS = 3 * MINUTE_MS

/** Carries a renamed or removed tag to the contacts, a bounded step at a time (docs/decisions/tags.md). */
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
 * Whether nobody is left who wrote the old name before the change could be seen: the walk would pass them
 * by before they commit. Every such transaction has a lower number than the first step.
 */
async function mayBegin(ctx: Context, change: TagChange): Promise<boolean> {
  if (change.reached !== null) return true
  const { own, lowest } = await readRunningTransactions(ctx)
  if (change.fence === null) await updateTagChange(ctx, change.id, { fence: own })
  // Numbers begin anew where a backup was restored: then the time decides.
  return lowest >= (change.fence ?? own) || later(change.createdAt, MAX_FENCE_MS) < ctx.now
}

/**
 * Merges two contacts that turned out to be one person, in a transaction of its own: whoever learns it in the middle of a batch has
 * locks already that a merge takes first. What arrives for either contact until then is not lost by waiting.
 */
export const mergeTwoContacts = job({
  name: 'merge_contacts',
  payload: z.object({ keptId: z.string(), mergedId: z.string() }),
  retrySeconds: [1, 5, 30, 120, 600, 3600],
  async run(ctx, { keptId, mergedId }) {
    await mergeContacts(ctx, [{ ctx, keptId, mergedId }])
  },
})
