import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'
import { type Database, type Outside, platformContext, type Workspace } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
import { readMailLanguages } from '../../../platform/access/operations/mail-language.ts'
import { queueWeeklyMails } from '../mail/send-weekly.ts'
import { nextSending } from '../mail/week.ts'
import { insertPlans, listDueMails, listUnplanned } from '../queries/weekly-mails.ts'

const MAX_WORKSPACES = 50

type Options = {
  database: Database
  clock: Clock
  outside: Pick<Outside, 'mailer'>
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

/** Sends each workspace's weekly mail on Monday morning. Sandboxes have none, so it follows real time. */
export const weeklyMailsSource = ({ database, clock, outside, workspaces }: Options): WorkSource => {
  const inTurn = workspacesInTurn()
  const { query } = database
  return {
    name: 'weekly-mails',
    pollMs: MINUTE_MS,
    async runDue({ workspaceId }) {
      if (workspaceId !== undefined || outside.mailer === null) return 0
      const now = clock.now()
      const unplanned = await listUnplanned(query, MAX_WORKSPACES)
      if (unplanned.length > 0)
        await insertPlans(
          query,
          unplanned.map(({ id, timezone }) => ({ workspaceId: id, runAt: nextSending(now, timezone) })),
        )
      const due = await workspaces(await listDueMails(query, now, MAX_WORKSPACES))
      const sent = await inTurn(due.values(), async (workspace) => {
        const languages = await readMailLanguages(query, workspace.id)
        const wasDue = await database.tenant(workspace, (unit) =>
          queueWeeklyMails(platformContext(unit, workspace, clock), languages),
        )
        return wasDue ? 1 : 0
      })
      return sent + unplanned.length
    },
  }
}
