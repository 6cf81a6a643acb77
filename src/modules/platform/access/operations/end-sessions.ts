import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { SessionContext } from '../../../../core/session.ts'
import { type Author, memberAuthor, recordBy } from '../../workspaces/operations/activity.ts'
import { listMembersOfAccount } from '../queries/accounts.ts'
import { type EndedSession, endSessions } from '../queries/sessions.ts'
import { requireSignedIn } from './read-session.ts'

/** Ends the caller's own session. */
export async function signOut(ctx: SessionContext): Promise<void> {
  const { accountId, sessionId: id } = requireSignedIn(ctx)
  await ctx.transaction((tx) => endSessions(tx, { accountId, id }, ctx.now, 'you signed out.'))
}

/** Ends another session of the caller's account. Refuses `not_found` if the session has ended. */
export async function revokeSession(ctx: SessionContext, id: string): Promise<void> {
  const { accountId } = requireSignedIn(ctx)
  if (!isUuid(id)) refuse('not_found', `Session ${id} not found. It may have ended already.`)
  await ctx.transaction(async (tx) => {
    const ended = await endSessions(tx, { accountId, id }, ctx.now, 'you signed it out from another session.')
    if (ended.length === 0) refuse('not_found', `Session ${id} not found. It may have ended already.`)
    await recordRevoked(tx, ended, ctx.now)
  })
}

/**
 * Ends all sessions of an account except `except` and returns how many. The activity log names `by`, or else
 * the account's member.
 */
export async function revokeOtherSessions(
  tx: Tx,
  { accountId, except }: { accountId: string; except?: string | undefined },
  { now, because, by }: { now: Date; because: string; by?: Author },
): Promise<number> {
  const ended = await endSessions(tx, { accountId, except }, now, because)
  await recordRevoked(tx, ended, now, by)
  return ended.length
}

/** Records ended sessions in the activity log of each workspace of the account. */
async function recordRevoked(tx: Tx, ended: EndedSession[], now: Date, author?: Author): Promise<void> {
  const [first] = ended
  if (!first) return
  for (const { memberId, workspaceId, name } of await listMembersOfAccount(tx, first.accountId))
    for (const { address, device } of ended)
      await recordBy(
        tx,
        { by: author ?? memberAuthor(memberId, name), workspaceId, at: now },
        'session.revoked',
        {
          memberId,
          address,
          device,
        },
      )
}
