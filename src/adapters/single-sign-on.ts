import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import type { SingleSignOnOptions } from '../http/endpoint/single-sign-on.ts'
import { type IdentityProvider, ProviderFault } from '../identity-provider/port.ts'
import {
  beginSingleSignOn,
  finishSingleSignOn,
  SignInRefused,
} from '../modules/platform/access/operations/single-sign-on.ts'
import type { SessionDirectory } from '../modules/platform/access/session-directory.ts'
import { findLiveSession } from './live-session.ts'

type Parts = {
  database: Pick<Database, 'system'>
  sessions: SessionDirectory
  clock: Clock
  provider: IdentityProvider | null
  /** Reports a fault of the provider, which the person can't mend. */
  onFault(error: unknown): void
}

/** Signs people in at the provider, with the database. */
export function providerSignIn({
  database,
  sessions,
  clock,
  provider,
  onFault,
}: Parts): Pick<SingleSignOnOptions, 'begin' | 'finish'> {
  return {
    begin: async (input) => {
      if (!provider) return undefined
      try {
        return await beginSingleSignOn(database.system, provider, { ...input, now: clock.now() })
      } catch (error) {
        if (!(error instanceof ProviderFault)) throw error
        onFault(error)
        return undefined
      }
    },
    finish: async ({ sessionToken, ...input }) => {
      if (!provider) return { problem: 'failed' }
      const now = clock.now()
      const current = await findLiveSession({ sessions, clock }, sessionToken)
      try {
        return await finishSingleSignOn(database.system, provider, { ...input, now, current })
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error
        if (error.cause) onFault(error.cause)
        return { problem: error.problem }
      }
    },
  }
}
