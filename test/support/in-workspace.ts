import { systemClock } from '../../src/core/clock.ts'
import { type Context, platformContext } from '../../src/core/context.ts'
import { openDatabase } from '../../src/database/database.ts'
import { listWorkspacesById } from '../../src/modules/platform/workspaces/queries/workspaces.ts'
import type { TestParley } from './boot.ts'

/** Runs `work` in a transaction of the workspace, with the platform as the actor. */
export async function inWorkspace<T>(
  parley: TestParley,
  { workspaceId }: { workspaceId: string },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const database = openDatabase({
    url: parley.databaseUrl,
    connections: 1,
    onError: () => {},
    recordEvents: async () => {},
    onCommit: () => {},
  })
  try {
    const [workspace] = await listWorkspacesById(database.query, [workspaceId])
    return await database.tenant(workspace!, (unit) => work(platformContext(unit, workspace!, systemClock)))
  } finally {
    await database.close()
  }
}
