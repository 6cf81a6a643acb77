import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { hashToken } from '../core/session.ts'
import type { SignInLinkOptions } from '../http/endpoint/sign-in-link.ts'
import { openSignInLink } from '../modules/platform/access/operations/sign-in-links.ts'
import { endOf, type SessionDirectory } from '../modules/platform/access/session-directory.ts'

type Parts = { database: Pick<Database, 'system'>; sessions: SessionDirectory; clock: Clock }

/** Opens sign-in links with the database. */
export const linkOpener =
  ({ database, sessions, clock }: Parts): SignInLinkOptions['open'] =>
  async ({ token, origin, sessionToken }) => {
    const now = clock.now()
    const tokenHash = sessionToken === undefined ? undefined : hashToken(sessionToken)
    const session = tokenHash && (await sessions.session(tokenHash))
    const isAlive = session && endOf(session, tokenHash, now) === undefined
    const current = isAlive ? { id: session.id, accountId: session.accountId } : null
    return database.system((tx) => openSignInLink(tx, { token, origin, now, current }))
  }
