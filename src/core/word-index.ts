/** The background work of a search index of words: it rests while answers are slow, and catches up under any load. */
import { type Clock, MINUTE_MS, SECOND_MS } from './clock.ts'
import { type Context, type Database, platformContext, type Query, type Workspace } from './context.ts'
import type { WorkSource } from './work.ts'
import { workspacesInTurn } from './workspaces-in-turn.ts'

/** The maximum of workspaces in a run; the others wait for the next run. */
const MAX_WORKSPACES = 4
/** The longest rest before it has read the existing messages. */
const MAX_REST_MS = MINUTE_MS

export type WordIndexTools = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Returns whether requests need the machine more now. */
  areAnswersSlow?(): boolean
}

export type WordIndex<Due> = {
  name: string
  /** Returns the workspaces with messages to read, at most `max`, and what `index` needs for each. */
  listDue(query: Query, max: number): Promise<Map<string, Due>>
  /** Indexes a batch of a workspace's messages. Returns whether it reached the end. */
  index(ctx: Context, due: Due): Promise<boolean>
}

/** Search may be seconds behind: the work rests while answers are slow, for a minute at most, and between runs. */
export function wordIndexSource<Due>(
  { database, clock, workspaces, areAnswersSlow }: WordIndexTools,
  { name, listDue, index }: WordIndex<Due>,
): WorkSource {
  const inTurn = workspacesInTurn()
  let caughtUpMs = clock.monotonicMs()
  const isResting = (): boolean =>
    areAnswersSlow?.() === true && clock.monotonicMs() - caughtUpMs < MAX_REST_MS
  return {
    name,
    pollMs: 2 * SECOND_MS,
    async runDue({ workspaceId }) {
      // The index does not depend on a workspace's time, so a sandbox clock does not wait for it.
      if (workspaceId !== undefined || isResting()) return 0
      const due = await listDue(database.query, MAX_WORKSPACES)
      const owners = await workspaces([...due.keys()])
      const finished = await inTurn(owners.values(), async (workspace) => {
        const isThrough = await database.tenant(workspace, (unit) =>
          index(platformContext(unit, workspace, clock), due.get(workspace.id)!),
        )
        return isThrough ? 1 : 0
      })
      if (finished === due.size && due.size < MAX_WORKSPACES) caughtUpMs = clock.monotonicMs()
      return 0
    },
  }
}
