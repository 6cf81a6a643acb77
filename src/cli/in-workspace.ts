// Lets commands act in one workspace as the server does.
import { systemClock } from '../core/clock.ts'
import type { Workspace } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { OpenDatabase } from '../database/database.ts'
import { createDirectory, type Directory } from '../modules/platform/workspaces/directory.ts'
import { transactionRecorders } from '../startup/open-pools.ts'
import type { CommandContext } from './command.ts'
import { onInstallation } from './installation.ts'

export type OpenedWorkspace = {
  database: OpenDatabase
  directory: Directory
  sealer: Sealer
  workspace: Workspace
}

/** Opens the installation for a change in a workspace whose events are recorded as usual. */
export const inWorkspace = <T>(
  context: CommandContext,
  workspaceId: string,
  act: (opened: OpenedWorkspace) => Promise<T>,
): Promise<T> =>
  onInstallation(
    context,
    // The running server finds due work by polling.
    { connections: 2, ...transactionRecorders(systemClock, { mayListen: () => true }), onCommit: () => {} },
    async (database, _settings, sealer) => {
      const directory = createDirectory(database.query, systemClock)
      const workspace = await directory.workspace(workspaceId)
      if (!workspace) throw new Error(`Workspace ${workspaceId} not found. See "parley workspace list".`)
      return act({ database, directory, sealer, workspace })
    },
  )
