/** Adds the words of direct messages to the search index (src/modules/reporting/search/DECISIONS.md). */
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
import { indexDirectMessages } from '../chats/operations/search-messages.ts'
import { listUnindexedWorkspaces } from '../chats/queries/message-words.ts'

/** The maximum of messages of a workspace in a turn, and of workspaces in a run; the rest waits for the next run. */
const MAX_MESSAGES = 500
const MAX_WORKSPACES = 4
/** The longest rest while answers are slow. */
const MAX_REST_MS = MINUTE_MS

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Returns whether requests need the machine more now. */
  areAnswersSlow?(): boolean
}

export function socialWordsSource({ database, clock, workspaces, areAnswersSlow }: Options): WorkSource {
  const inTurn = workspacesInTurn()
  let ranMs = clock.monotonicMs()
  return {
    name: 'social-words',
    pollMs: 2 * SECOND_MS,
    async runDue({ workspaceId }) {
      // The index does not depend on a workspace's time, so a sandbox clock does not wait for it.
      if (workspaceId !== undefined) return 0
      if (areAnswersSlow?.() === true && clock.monotonicMs() - ranMs < MAX_REST_MS) return 0
      ranMs = clock.monotonicMs()
      const due = await workspaces(await listUnindexedWorkspaces(database.query, MAX_WORKSPACES))
      await inTurn(due.values(), (workspace) =>
        database.tenant(workspace, (unit) =>
          indexDirectMessages(platformContext(unit, workspace, clock), MAX_MESSAGES),
        ),
      )
      return 0
    },
  }
}
