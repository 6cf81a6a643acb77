import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import type { SignInLinkOptions } from '../http/endpoint/sign-in-link.ts'
import { openSignInLink } from '../modules/platform/access/operations/sign-in-links.ts'
import type { SessionDirectory } from '../modules/platform/access/session-directory.ts'
import { findLiveSession } from './live-session.ts'

type Parts = { database: Pick<Database, 'system'>; sessions: SessionDirectory; clock: Clock }

/** Opens sign-in links with the database. */
export const linkOpener =
  ({ database, sessions, clock }: Parts): SignInLinkOptions['open'] =>
  async ({ token, origin, sessionToken }) => {
    const now = clock.now()
    const current = await findLiveSession({ sessions, clock }, sessionToken)
    return database.system((tx) => openSignInLink(tx, { token, origin, now, current }))
  }
