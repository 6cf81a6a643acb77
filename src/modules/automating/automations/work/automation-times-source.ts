import { type Clock, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import {
  type Context,
  type Database,
  platformContext,
  type Query,
  type Workspace,
} from '../../../../core/context.ts'
import { dueAt } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
import { findNextIdle } from '../../../messaging/conversations/operations/idle-chats.ts'
import { startIdleRuns } from '../operations/find-idle.ts'
import { startDueSchedules } from '../operations/plan-schedules.ts'
import {
  alignSchedules,
  findNextSchedule,
  listIdleAutomations,
  listIdleWorkspaces,
  listWorkspacesWithSchedules,
} from '../queries/states.ts'
import { AUTOMATION_TIMES } from '../wakes.ts'

const MAX_WORKSPACES = 100
const POLL_MS = 15 * SECOND_MS

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

const earliest = (moments: (Date | undefined)[]): Date | undefined =>
  moments.filter((moment) => moment !== undefined).sort((a, b) => a.getTime() - b.getTime())[0]

/** Starts the runs of due schedules and of idle chats. Each start commits together with the record of it. */
export function automationTimesSource({ database, clock, workspaces }: Options): WorkSource {
  /** The clock offset of a sandbox by which its work is due: the offset before its clock was moved. */
  const offsets = new Map<string, number>()
  const inTurn = workspacesInTurn()

  const nextIdle = async (query: Query, workspaceId: string): Promise<Date | undefined> => {
    const automations = await listIdleAutomations(query, workspaceId)
    const moments = await Promise.all(
      automations.map(async ({ idleSide, idleMinutes, lookedAt }) => {
        const silence = idleMinutes * MINUTE_MS
        const since = await findNextIdle(query, workspaceId, idleSide, later(lookedAt, -silence))
        return since && later(since, silence - (offsets.get(workspaceId) ?? 0))
      }),
    )
    return earliest(moments)
  }

  return {
    name: AUTOMATION_TIMES,
    pollMs: POLL_MS,
    async runDue({ workspaceId, moving }) {
      if (workspaceId !== undefined && moving) offsets.set(workspaceId, moving.offsetMs - moving.aheadMs)
      const due = dueAt(clock.now(), moving)
      const workspaceIds = workspaceId === undefined ? undefined : [workspaceId]
      const [scheduled, silent] = await Promise.all([
        workspaceIds ?? listWorkspacesWithSchedules(database.query, due.now, MAX_WORKSPACES),
        workspaceIds ?? listIdleWorkspaces(database.query),
      ])
      const isScheduled = new Set(scheduled)
      const isSilent = new Set(silent)
      const workspacesById = await workspaces([...isScheduled.union(isSilent)])
      return inTurn(workspacesById.values(), async (workspace) => {
        const start = (run: (ctx: Context) => Promise<number>): Promise<number> =>
          database.tenant(workspace, (unit) => run(platformContext(unit, workspace, clock)))
        const planned = isScheduled.has(workspace.id) ? await start((ctx) => startDueSchedules(ctx, due)) : 0
        return planned + (isSilent.has(workspace.id) ? await start(startIdleRuns) : 0)
      })
    },
    async nextDue(query, workspaceId) {
      const [scheduled, idle] = await Promise.all([
        findNextSchedule(query, workspaceId),
        nextIdle(query, workspaceId),
      ])
      return earliest([scheduled, idle])
    },
    align: alignSchedules,
  }
}
