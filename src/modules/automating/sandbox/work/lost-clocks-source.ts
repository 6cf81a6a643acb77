import { randomUUID } from 'node:crypto'
import { type Clock, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { alignAll } from '../align-rows.ts'
import { listLostClocks, releaseClock, takeClock } from '../queries.ts'

const MAX_AT_ONCE = 10
const LEASE_MS = MINUTE_MS

/** Aligns the rows of clocks whose process died while moving them; otherwise they would be due too late. */
export const lostClocksSource = ({
  database,
  clock,
  sources,
}: {
  database: Database
  clock: Clock
  sources: WorkSource[]
}): WorkSource => ({
  name: 'lost-clocks',
  pollMs: 5 * SECOND_MS,
  async runDue({ workspaceId }) {
    // The process that moves a sandbox's clock aligns its rows.
    if (workspaceId !== undefined) return 0
    const lostIds = await listLostClocks(database.query, clock.now(), MAX_AT_ONCE)
    for (const id of lostIds) {
      const now = clock.now()
      const holder = { workspaceId: id, mover: randomUUID() }
      const offsetMs = await takeClock(database.query, { ...holder, now, until: later(now, LEASE_MS) })
      if (offsetMs === undefined) continue
      await alignAll({ database, clock, sources }, id, offsetMs)
      await releaseClock(database.query, holder)
    }
    return lostIds.length
  },
})
