import { type Clock, MINUTE_MS } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import { deleteExpiredAnswers } from './idempotency.ts'

const MAX_AT_ONCE = 5_000

/** Forgets remembered answers whose 24 hours are over; until then they are only ignored. */
export const answersSource = (deps: { database: Pick<Database, 'query'>; clock: Clock }): WorkSource => ({
  name: 'answers',
  pollMs: MINUTE_MS,
  // A sandbox's answers are forgotten by real time: its moved clock already ignores them.
  runDue: ({ workspaceId }) =>
    workspaceId === undefined
      ? deleteExpiredAnswers(deps.database.query, deps.clock.now(), MAX_AT_ONCE)
      : Promise.resolve(0),
})
