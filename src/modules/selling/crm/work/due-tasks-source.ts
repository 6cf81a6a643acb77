/** Notifies assignees when a task is due (src/modules/platform/notifications/DECISIONS.md). */
import { type Clock, DAY_MS, later, SECOND_MS } from '../../../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { listLeadRowsById } from '../queries/leads.ts'
import { listWorkspacesToRemind, takeDueTasks } from '../queries/tasks.ts'

const MAX_WORKSPACES = 16
const MAX_TASKS = 200
/** Tasks due before that get no notice. They are in the overdue group. */
const NEWS_MS = DAY_MS

async function remind(ctx: Context): Promise<number> {
  const dueTasks = await takeDueTasks(ctx.tx, {
    workspaceId: ctx.workspace.id,
    now: ctx.now,
    limit: MAX_TASKS,
  })
  const tasks = dueTasks.filter(({ dueAt }) => dueAt > later(ctx.now, -NEWS_MS))
  const leads = await listLeadRowsById(ctx, [...new Set(tasks.map(({ leadId }) => leadId))])
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  await notifyMembers(
    ctx,
    tasks.flatMap((task) => {
      const lead = byId.get(task.leadId)
      if (!lead) return []
      const { id: subjectId, title, assigneeId: memberId } = task
      const subjects = { parentId: lead.id, contactId: lead.contactId }
      return [
        { kind: 'task_due' as const, memberId, title, body: lead.name ?? lead.phone, subjectId, ...subjects },
      ]
    }),
  )
  return dueTasks.length
}

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

export const dueTasksSource = ({ database, clock, workspaces }: Options): WorkSource => {
  const inTurn = workspacesInTurn()
  return {
    name: 'due-tasks',
    pollMs: 10 * SECOND_MS,
    async runDue({ workspaceId }) {
      const due = await listWorkspacesToRemind(database.query, {
        now: clock.now(),
        workspaceId,
        limit: MAX_WORKSPACES,
      })
      return inTurn((await workspaces(due)).values(), (workspace) =>
        database.tenant(workspace, (unit) => remind(platformContext(unit, workspace, clock))),
      )
    },
  }
}
