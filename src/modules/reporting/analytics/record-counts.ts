import type { Unit } from '../../../core/context.ts'
import type { PendingCount } from '../../../core/count.ts'
import { newId } from '../../../core/ids.ts'
import { type Counts, insertDeltas, type NewDelta } from './queries.ts'

const zeroCounts = (): Counts => ({
  received: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  opened: 0,
})

/** Returns a transaction's counts as one row for each workspace, day, number and type. */
function deltasOf(counts: PendingCount[]): NewDelta[] {
  const deltas = new Map<string, NewDelta>()
  for (const { workspaceId, day, phoneNumberId, type, counted } of counts) {
    const key = `${workspaceId} ${day} ${phoneNumberId} ${type}`
    let delta = deltas.get(key)
    if (!delta) {
      delta = { workspaceId, id: newId(), day, phoneNumberId, type, ...zeroCounts() }
      deltas.set(key, delta)
    }
    delta[counted]++
  }
  return [...deltas.values()]
}

/**
 * Writes a transaction's counts in that transaction. It only inserts rows, so that transactions don't wait
 * for each other; `countsSource` adds them up.
 */
export const recordCounts = (unit: Unit): Promise<unknown> => insertDeltas(unit.tx, deltasOf(unit.counts))
