import { type Clock, SECOND_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { type DueMoment, dueAt } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { FailedStep, FaultyRun, postponeFirstRun, takeTurn } from '../operations/run-next-step.ts'
import { endRunsOfOff } from '../operations/settle-run.ts'
import { alignRuns, findNextRun, listDueLanes, listWorkspacesWithRuns } from '../queries/runs.ts'
import { spreadStarts } from '../queries/starts.ts'
import { AUTOMATIONS } from '../wakes.ts'

const MAX_WORKSPACES = 20
/**
 * Max events of a workspace whose runs are created in one statement. Up to 100 automations listen to one
 * event.
 */
const STARTS_AT_ONCE = 100
/** Max due runs of a workspace that are searched for lanes, and max lanes taken in one search. */
const LANE_LIMITS = { rows: 500, lanes: 20 }
const LANES_AT_ONCE = 4
/** Max turns of a lane before other lanes get theirs. */
const TURNS = 50

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  onError(error: unknown): void
}
type Lane = { workspace: Workspace; lane: string }

/**
 * Continues runs of automations: contacts in parallel, each contact's runs in order. The due row is the work:
 * a step and its effect commit together, so a process that dies leaves nothing half done (DECISIONS.md).
 */
export function automationsSource({ database, clock, workspaces, onError }: Options): WorkSource {
  const turn = async (
    target: Lane,
    due: DueMoment,
    previousError?: FailedStep | FaultyRun,
  ): Promise<number> => {
    const { workspace, lane } = target
    const inTransaction = <T>(work: (ctx: ReturnType<typeof platformContext>) => Promise<T>) =>
      database.tenant(workspace, (unit) => work(platformContext(unit, workspace, clock)))
    try {
      return await inTransaction((ctx) => takeTurn(ctx, lane, due, previousError))
    } catch (error) {
      // If the database is away, the next call fails too, and the next poll tries again.
      if (!(error instanceof FailedStep)) onError(error)
      // Each error belongs to an earlier run than the last one, so the recursion ends.
      if (error instanceof FailedStep || error instanceof FaultyRun) return turn(target, due, error)
      await inTransaction((ctx) => postponeFirstRun(ctx, lane, due))
      return 1
    }
  }

  // The result of a turn is due at its end, later than the turn started, so each turn reads the clock again.
  const walk = async (lane: Lane, dueNow: () => DueMoment): Promise<number> => {
    let moved = 0
    for (let turns = 0; turns < TURNS; turns++) {
      const count = await turn(lane, dueNow())
      if (count === 0) break
      moved += count
    }
    return moved
  }

  /** Creates runs for starts, and ends runs of turned-off automations. */
  const prepare = (workspace: Workspace, due: DueMoment): Promise<number> =>
    database.tenant(workspace, async (unit) => {
      const ctx = platformContext(unit, workspace, clock)
      // An erasure might otherwise search for runs before these exist.
      await holdOffErasures(ctx)
      const created = await spreadStarts(ctx, clock.now(), STARTS_AT_ONCE)
      return created + (await endRunsOfOff(ctx, due))
    })

  const dueWorkspaces = async (workspaceId: string | undefined, now: Date): Promise<Workspace[]> => {
    const ids =
      workspaceId === undefined
        ? await listWorkspacesWithRuns(database.query, now, MAX_WORKSPACES)
        : [workspaceId]
    return [...(await workspaces(ids)).values()]
  }

  const dueLanes = async (candidates: Workspace[], due: DueMoment): Promise<Lane[]> => {
    const lanes = await Promise.all(
      candidates.map(async (workspace) =>
        (await listDueLanes(database.query, workspace.id, due, LANE_LIMITS)).map((lane) => ({
          workspace,
          lane,
        })),
      ),
    )
    return lanes.flat()
  }

  return {
    name: AUTOMATIONS,
    pollMs: SECOND_MS,
    async runDue({ workspaceId, moving }) {
      const dueNow = () => dueAt(clock.now(), moving)
      const candidates = await dueWorkspaces(workspaceId, dueNow().now)
      let moved = 0
      for (const workspace of candidates) moved += await prepare(workspace, dueNow())
      const lanes = await dueLanes(candidates, dueNow())
      let next = 0
      const walkSome = async (): Promise<void> => {
        for (let lane = lanes[next++]; lane; lane = lanes[next++]) moved += await walk(lane, dueNow)
      }
      await Promise.all(Array.from({ length: LANES_AT_ONCE }, walkSome))
      return moved
    },
    nextDue: findNextRun,
    align: alignRuns,
  }
}
