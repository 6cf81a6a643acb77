import { type Clock, SECOND_MS } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { dueAt } from '../../../core/due.ts'
import type { WorkSource } from '../../../core/work.ts'
import { askDueReviews, REVIEW_REQUESTS } from '../operations/ask-reviews.ts'
import { alignRequests, findNextDueRequest, listDueWorkspaces } from '../queries/requests.ts'

const MAX_WORKSPACES = 50

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

/** Sends requests for reviews. The row that is due is the work: sent and remembered in one transaction. */
export const reviewRequestsSource = ({ database, clock, workspaces }: Options): WorkSource => ({
  name: REVIEW_REQUESTS,
  pollMs: 10 * SECOND_MS,
  async runDue({ workspaceId, moving }) {
    const due = dueAt(clock.now(), moving)
    const of =
      workspaceId === undefined
        ? await listDueWorkspaces(database.query, due.now, MAX_WORKSPACES)
        : (await findNextDueRequest(database.query, workspaceId))
          ? [workspaceId]
          : []
    let asked = 0
    for (const workspace of (await workspaces(of)).values())
      asked += await database.tenant(workspace, (unit) =>
        askDueReviews(platformContext(unit, workspace, clock), due),
      )
    return asked
  },
  nextDue: findNextDueRequest,
  align: alignRequests,
})
