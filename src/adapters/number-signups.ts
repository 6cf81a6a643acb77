import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { NumberSignupOptions } from '../http/endpoint/number-signup.ts'
import { readSignupState, recordSignupReturn } from '../modules/platform/access/operations/number-signup.ts'
import type { SessionDirectory } from '../modules/platform/access/session-directory.ts'
import { findLiveSession } from './live-session.ts'

type Parts = {
  database: Pick<Database, 'system'>
  sessions: SessionDirectory
  clock: Clock
  sealer: Pick<Sealer, 'seal'>
}

/**
 * Stores the answer of the operator's hosted signup for the session that began it. The path names only ids that are in the
 * answer, so it reveals nothing about workspaces of others.
 */
export const signupReturns =
  ({ database, sessions, clock, sealer }: Parts): NumberSignupOptions['record'] =>
  async ({ sessionToken, ...answer }) => {
    const named = readSignupState(answer.state)
    if (!named) return '/'
    const page = `/w/${named.workspaceId}/settings/numbers`
    const session = await findLiveSession({ sessions, clock }, sessionToken)
    const input = { ...answer, sessionId: session?.id, now: clock.now() }
    const isRecorded = await database.system((tx) => recordSignupReturn(tx, input, sealer))
    return `${page}?signup=${isRecorded ? named.id : 'unknown'}`
  }
