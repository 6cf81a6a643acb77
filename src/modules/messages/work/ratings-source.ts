import { type Clock, SECOND_MS } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { dueAt } from '../../../core/due.ts'
import type { WorkSource } from '../../../core/work.ts'
import {
  alignRatings,
  findNextDueRating,
  listRatingWorkspaces,
  RATINGS,
} from '../../conversations/operations/ratings.ts'
import { askDueRatings } from '../ratings/operations/ask-ratings.ts'

const MAX_WORKSPACES = 50

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

/** Asks how chats were that people ended. The row that is due is the work: asked and remembered in one transaction. */
export const ratingsSource = ({ database, clock, workspaces }: Options): WorkSource => ({
  name: RATINGS,
  pollMs: 10 * SECOND_MS,
  async runDue({ workspaceId, moving }) {
    const due = dueAt(clock.now(), moving)
    const of =
      workspaceId === undefined
        ? await listRatingWorkspaces(database.query, due.now, MAX_WORKSPACES)
        : (await findNextDueRating(database.query, workspaceId))
          ? [workspaceId]
          : []
    let asked = 0
    for (const workspace of (await workspaces(of)).values())
      asked += await database.tenant(workspace, (unit) =>
        askDueRatings(platformContext(unit, workspace, clock), due),
      )
    return asked
  },
  nextDue: findNextDueRating,
  align: alignRatings,
})
