import type { Unit } from '../../core/context.ts'
import type { PendingCount } from '../../core/count.ts'
import { newId } from '../../core/ids.ts'
import { type Counts, insertDeltas, type NewDelta } from './queries.ts'

const nothing = (): Counts => ({
  received: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  opened: 0,
})

/** What a transaction counted, one row for each workspace, day, number and kind. */
function deltasOf(counts: PendingCount[]): NewDelta[] {
  const deltas = new Map<string, NewDelta>()
  for (const { workspaceId, day, phoneNumberId, type, counted } of counts) {
    const key = `${workspaceId} ${day} ${phoneNumberId} ${type}`
    let delta = deltas.get(key)
    if (!delta) {
      delta = { workspaceId, id: newId(), day, phoneNumberId, type, ...nothing() }
      deltas.set(key, delta)
    }
    delta[counted]++
  }
  return [...deltas.values()]
}

/**
 * Writes what a transaction counted beside its facts. Rows are only ever added here, so that nobody
 * waits for anybody; `countsSource` adds them up.
 */
export const recordCounts = (unit: Unit): Promise<unknown> => insertDeltas(unit.tx, deltasOf(unit.counts))
