import type { Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { insertTallies, type NewTally, TALLIED } from '../queries/tallies.ts'

/**
 * Writes the campaign counts of a transaction with its facts, one row for each campaign. Rows are only added.
 */
export async function recordTallies(unit: Unit): Promise<void> {
  const tallies = new Map<string, NewTally>()
  for (const { workspaceId, broadcastId, counted } of unit.counts) {
    const name = TALLIED.find((state) => state === counted)
    if (broadcastId === null || name === undefined) continue
    let tally = tallies.get(broadcastId)
    if (!tally) {
      tally = { workspaceId, id: newId(), broadcastId, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0 }
      tallies.set(broadcastId, tally)
    }
    tally[name]++
  }
  if (tallies.size > 0) await insertTallies(unit.tx, [...tallies.values()])
}
