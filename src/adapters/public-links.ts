/** Runs public pages inside the workspace of their link. */
import type { Clock } from '../core/clock.ts'
import {
  type Context,
  type Database,
  type Outside,
  platformContext,
  type Query,
  type Workspace,
} from '../core/context.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'

export type LinkParts = { database: Database; directory: Directory; clock: Clock; outside: Outside }

type FoundLink = { workspaceId: string; id: string }

/** An opened link: the id of its object, and transactions of its workspace. */
export type OpenedLink = {
  id: string
  workspace: Workspace
  outside: Outside
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** Returns the workspace of a link. */
export const workspaceOfLink =
  (parts: LinkParts, find: (query: Query, token: string) => Promise<FoundLink | undefined>) =>
  async (token: string): Promise<string | undefined> =>
    (await find(parts.database.query, token))?.workspaceId

/** Opens a link with `find`, which searches all workspaces; undefined if it finds none. */
export const linkOpener =
  ({ database, directory, clock, outside }: LinkParts) =>
  async (find: (query: Query) => Promise<FoundLink | undefined>): Promise<OpenedLink | undefined> => {
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
