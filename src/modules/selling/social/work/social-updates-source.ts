/**
 * Applies the network's stored reports, each once (docs/formats.md section 14). One process at a time applies
 * a workspace's reports, in order of arrival; missing data is looked up in between (DECISIONS.md).
 */
import { later, SECOND_MS } from '../../../../core/clock.ts'
import type { Workspace } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { type ApplyOptions, applyClaimed } from '../intake/apply-claimed.ts'
import { SOCIAL_UPDATES } from '../intake/operations/intake.ts'
import {
  type ClaimedUpdate,
  claimUpdates,
  countLeased,
  findNextUpdateDue,
  listDueWorkspaces,
} from '../intake/queries/updates.ts'

export type SocialUpdatesOptions = ApplyOptions & {
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

const LEASE_MS = 15 * SECOND_MS
/** The maximum of parallel workspaces, of updates of one in a batch, and of their bytes. */
const MAX_WORKSPACES = 16
const MAX_UPDATES = 50
const MAX_BYTES = 256 * 1024
/** Work that takes longer delays only its own workspace. */
const PATIENCE_MS = 300

export function socialUpdatesSource(options: SocialUpdatesOptions): WorkSource {
  const { database, clock } = options
  const runningTurns = new Map<string, Promise<void>>()
  let stopping = false

  /** Returns workspaces that may have due updates and are not being processed here. */
  const candidates = async (now: Date, onlyWorkspaceId: string | undefined): Promise<string[]> => {
    // Twice as many as can be processed, because some already are.
    const due =
      onlyWorkspaceId === undefined
        ? await listDueWorkspaces(database.query, now, 2 * MAX_WORKSPACES)
        : [onlyWorkspaceId]
    const room = onlyWorkspaceId === undefined ? Math.max(0, MAX_WORKSPACES - runningTurns.size) : 1
    return due.filter((id) => !runningTurns.has(id)).slice(0, room)
  }

  const start = (workspace: Workspace, rows: ClaimedUpdate[]): void => {
    const done = applyClaimed(options, workspace, rows)
      // An update that could not even be put back waits until its lease expires.
      .catch(options.onError)
      .finally(() => runningTurns.delete(workspace.id))
    runningTurns.set(workspace.id, done)
  }

  const claim = async (onlyWorkspaceId: string | undefined): Promise<number> => {
    const now = clock.now()
    const workspaceIds = await candidates(now, onlyWorkspaceId)
    if (workspaceIds.length === 0) return 0
    const until = later(now, LEASE_MS)
    const rows = await database.system((tx) =>
      claimUpdates(tx, { workspaceIds, now, until, limit: MAX_UPDATES, bytes: MAX_BYTES }),
    )
    const byWorkspace = Map.groupBy(rows, (row) => row.workspaceId)
    const workspaces = await options.workspaces([...byWorkspace.keys()])
    for (const [id, updates] of byWorkspace) {
      const workspace = workspaces.get(id)
      if (workspace) start(workspace, updates)
    }
    return rows.length
  }

  return {
    name: SOCIAL_UPDATES,
    pollMs: 250,
    async runDue({ workspaceId }) {
      if (stopping) return 0
      const count = await claim(workspaceId)
      if (count > 0) await Promise.race([Promise.all(runningTurns.values()), options.pause(PATIENCE_MS)])
      return count
    },
    nextDue: findNextUpdateDue,
    running: countLeased,
    async stop() {
      stopping = true
      await Promise.all(runningTurns.values())
    },
  }
}
