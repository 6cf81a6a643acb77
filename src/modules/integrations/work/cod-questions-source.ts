import { type Clock, SECOND_MS } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { dueAt } from '../../../core/due.ts'
import type { WorkSource } from '../../../core/work.ts'
import { askDueQuestions } from '../operations/ask-cod.ts'
import { COD_QUESTIONS } from '../operations/cod-plans.ts'
import { alignQuestions, findNextQuestion, listCodWorkspaces } from '../queries/cod.ts'

const MAX_WORKSPACES = 50

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

/** Asks about cash on delivery. The row that is due is the work: asked and remembered in one transaction. */
export const codQuestionsSource = ({ database, clock, workspaces }: Options): WorkSource => ({
  name: COD_QUESTIONS,
  pollMs: 5 * SECOND_MS,
  async runDue({ workspaceId, moving }) {
    const due = dueAt(clock.now(), moving)
    const of =
      workspaceId === undefined
        ? await listCodWorkspaces(database.query, due.now, MAX_WORKSPACES)
        : (await findNextQuestion(database.query, workspaceId))
          ? [workspaceId]
          : []
    let asked = 0
    for (const workspace of (await workspaces(of)).values())
      asked += await database.tenant(workspace, (unit) =>
        askDueQuestions(platformContext(unit, workspace, clock), due),
      )
    return asked
  },
  nextDue: findNextQuestion,
  align: alignQuestions,
})
