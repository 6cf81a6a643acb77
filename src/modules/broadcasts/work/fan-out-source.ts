/** The source of background work that fans campaigns out, one short step at a time, each campaign in its turn. */
import { type Clock, later, SECOND_MS } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { BROADCASTS } from '../operations/create-broadcast.ts'
import {
  claimDueBroadcastRow,
  findNextDueBroadcast,
  listDueBroadcasts,
  putBroadcastOff,
  shiftBroadcasts,
} from '../queries.ts'
import { stepBroadcast } from './fan-out.ts'
import { FIRST_STEP, nextStepSize } from './step-size.ts'

export type FanOutOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  onError(error: unknown): void
  /** Waits while others need the machine more, after a step that took `workedMs`. */
  giveWay?(workedMs: number): Promise<void>
}

/** Campaigns that take their turns: the others wait until one of these has nothing to do just now. */
const TURNS = 16
const AFTER_FAULT_MS = 5 * SECOND_MS

export function fanOutSource(options: FanOutOptions): WorkSource {
  const { database, clock, workspaces, onError } = options
  let people = FIRST_STEP
  const step = async (key: { workspaceId: string; id: string }, workspace: Workspace): Promise<number> => {
    try {
      const startedMs = clock.monotonicMs()
      const ran = await database.tenant(workspace, async (unit) => {
        const realNow = clock.now()
        const row = await claimDueBroadcastRow(unit.tx, key, realNow)
        if (!row) return 0
        await stepBroadcast(platformContext(unit, workspace, clock), row, { realNow, people })
        return 1
      })
      if (ran > 0) people = nextStepSize(people, clock.monotonicMs() - startedMs)
      return ran
    } catch (error) {
      onError(error)
      await putBroadcastOff(database.query, key, later(clock.now(), AFTER_FAULT_MS))
      return 0
    }
  }

  return {
    name: BROADCASTS,
    pollMs: SECOND_MS,
    async runDue({ workspaceId }) {
      const due = await listDueBroadcasts(database.query, clock.now(), TURNS, workspaceId)
      if (due.length === 0) return 0
      const owners = await workspaces([...new Set(due.map((one) => one.workspaceId))])
      let ran = 0
      for (const key of due) {
        const workspace = owners.get(key.workspaceId)
        if (!workspace) continue
        const startedMs = clock.monotonicMs()
        ran += await step(key, workspace)
        // Whoever moves a sandbox's clock waits for it.
        if (workspaceId === undefined) await options.giveWay?.(clock.monotonicMs() - startedMs)
      }
      return ran
    },
    nextDue: findNextDueBroadcast,
    shift: shiftBroadcasts,
  }
}
