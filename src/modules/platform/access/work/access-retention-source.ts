import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteExpiredConnections } from '../queries/app-connections.ts'
import { deleteOldFailures } from '../queries/failures.ts'
import { deleteExpiredInvitations } from '../queries/invitations.ts'
import { deleteExpiredSignups } from '../queries/number-signups.ts'
import { deleteOldSessions } from '../queries/sessions.ts'
import { deleteExpiredTokens } from '../queries/tokens.ts'

/** Longer than the longest session, so that a returning browser learns why its session ended. */
const SESSION_DAYS = 60
/** Longer than the longest wait after failures. */
const FAILURE_MS = DAY_MS

/** Deletes ended sessions, expired tokens, invitations, signups of numbers, and connections of apps, and failed sign-ins. */
export const accessRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'access-retention',
    max: 2_000,
    deleteOld: (query, now, max) =>
      Promise.all([
        deleteOldSessions(query, later(now, -SESSION_DAYS * DAY_MS), max),
        deleteExpiredTokens(query, now, max),
        deleteExpiredInvitations(query, now, max),
        deleteExpiredSignups(query, now, max),
        deleteExpiredConnections(query, now, max),
        deleteOldFailures(query, later(now, -FAILURE_MS), max),
      ]),
  })
