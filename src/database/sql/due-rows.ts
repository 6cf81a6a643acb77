/** Rows that are work themselves: `run_at` says when they are due, and null means done. */
import { type Clock, SECOND_MS } from '../../core/clock.ts'
import {
  type Context,
  type Database,
  platformContext,
  type Query,
  type Workspace,
} from '../../core/context.ts'
import { type DueMoment, dueAt } from '../../core/due.ts'
import type { WorkSource } from '../../core/work.ts'
import { workspacesInTurn } from '../../core/workspaces-in-turn.ts'
import { alignRows } from './due-statements.ts'
import { isOfWorkspace } from './sql.ts'

export type DueRows = Required<Pick<WorkSource, 'nextDue' | 'align'>> & {
  /** Returns the workspaces whose rows have been due longest. */
  listWorkspaces(query: Query, now: Date, limit: number): Promise<string[]>
}

/** Returns the statements about waiting rows of a table, which needs an index on `run_at` where it is not null. */
export const dueRowsIn = (table: string): DueRows => ({
  listWorkspaces: async (query, now, limit) =>
    (
      await query<{ workspaceId: string }>(
        `select distinct workspace_id from (
           select workspace_id from ${table} r where run_at <= $1 and ${isOfWorkspace('r')} order by run_at limit $2
         ) due`,
        [now, limit],
      )
    ).map((row) => row.workspaceId),
  nextDue: async (query, workspaceId) =>
    (
      await query<{ runAt: Date }>(
        `select run_at from ${table} where workspace_id = $1 and run_at is not null order by run_at limit 1`,
        [workspaceId],
      )
    )[0]?.runAt,
  align: (query, workspaceId, to) =>
    alignRows(query, { table, waiting: 't.run_at is not null' }, workspaceId, to),
})

const MAX_WORKSPACES = 50

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

/** Returns a work source of these rows. `work` processes some of a workspace's due rows and returns how many. */
export const sourceOfDueRows =
  (name: string, rows: DueRows, work: (ctx: Context, due: DueMoment) => Promise<number>) =>
  ({ database, clock, workspaces }: Options): WorkSource => {
    const inTurn = workspacesInTurn()
    return {
      name,
      pollMs: 10 * SECOND_MS,
      async runDue({ workspaceId, moving }) {
        const due = dueAt(clock.now(), moving)
        const workspaceIds =
          workspaceId === undefined
            ? await rows.listWorkspaces(database.query, due.now, MAX_WORKSPACES)
            : (await rows.nextDue(database.query, workspaceId))
              ? [workspaceId]
              : []
        return inTurn((await workspaces(workspaceIds)).values(), (workspace) =>
          database.tenant(workspace, (unit) => work(platformContext(unit, workspace, clock), due)),
        )
      },
      nextDue: rows.nextDue,
      align: rows.align,
    }
  }
