/** What a public page does, inside the workspace that its link belongs to. */
import type { Clock } from '../core/clock.ts'
import {
  type Context,
  type Database,
  type Outside,
  platformContext,
  type Query,
  type Workspace,
} from '../core/context.ts'
import type { Directory } from '../modules/workspaces/directory.ts'

export type LinkParts = { database: Database; directory: Directory; clock: Clock; outside: Outside }

/** What a link opens: the id of a thing, and transactions of its workspace. */
export type OpenedLink = {
  id: string
  workspace: Workspace
  outside: Outside
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** Opens a link by `find`, which looks in all workspaces; undefined where there is nothing. */
export const linkOpener =
  ({ database, directory, clock, outside }: LinkParts) =>
  async (
    find: (query: Query) => Promise<{ workspaceId: string; id: string } | undefined>,
  ): Promise<OpenedLink | undefined> => {
    const found = await find(database.query)
    const workspace = found && (await directory.workspace(found.workspaceId))
    if (!workspace) return undefined
    return {
      id: found.id,
      workspace,
      outside,
      transaction: (work) =>
        database.tenant(workspace, (unit) => work(platformContext(unit, workspace, clock))),
    }
  }
