import { type Clock, MINUTE_MS } from '../../core/clock.ts'
import type { Database } from '../../core/context.ts'
import type { WorkSource } from '../../core/work.ts'
import { deleteExpiredAnswers } from './idempotency.ts'

const MAX_AT_ONCE = 5_000

/** Deletes stored answers after their 24 hours. Until then, expired answers are only ignored. */
export const answersSource = (deps: { database: Pick<Database, 'query'>; clock: Clock }): WorkSource => ({
  name: 'answers',
  pollMs: MINUTE_MS,
  // Sandbox answers are deleted in real time too: reads by the sandbox's moved clock already ignore expired
  // answers.
  runDue: ({ workspaceId }) =>
    workspaceId === undefined
      ? deleteExpiredAnswers(deps.database.query, deps.clock.now(), MAX_AT_ONCE)
      : Promise.resolve(0),
})
