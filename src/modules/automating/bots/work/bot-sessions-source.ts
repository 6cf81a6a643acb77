import { type Clock, SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import { dueAt } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { alignSessions, deleteDueSessions, findNextDueSession } from '../queries/sessions.ts'
import { recordTeammateEnds } from '../queries/visits.ts'

const BATCH = 500
/** Name of the work source that ends sessions. */
const BOT_SESSIONS = 'bot-sessions'

/** Ends idle sessions, without a message. The customer's next message may start a bot again. */
export const botSessionsSource = ({ database, clock }: { database: Database; clock: Clock }): WorkSource => ({
  name: BOT_SESSIONS,
  pollMs: 30 * SECOND_MS,
  runDue: ({ workspaceId, moving }) => {
    const due = dueAt(clock.now(), moving)
    return database.system(async (tx) => {
      const ended = await deleteDueSessions(tx, due, { workspaceId, limit: BATCH })
      if (ended.length > 0) await recordTeammateEnds(tx, ended)
      return ended.length
    })
  },
  nextDue: findNextDueSession,
  align: alignSessions,
})
