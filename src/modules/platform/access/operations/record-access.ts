import type { Tx } from '../../../../core/context.ts'
import type { RequestOrigin } from '../../../../core/session.ts'
import { type Author, memberAuthor, recordBy } from '../../workspaces/operations/activity.ts'
import { listMembersOfAccount } from '../queries/accounts.ts'

/** Records, in each workspace of the account, that a way to sign in was added, changed or removed. */
export async function recordAccess(
  tx: Tx,
  accountId: string,
  now: Date,
  change: string,
  author?: Author,
): Promise<void> {
  for (const { memberId, workspaceId, name } of await listMembersOfAccount(tx, accountId))
    await recordBy(
      tx,
      { by: author ?? memberAuthor(memberId, name), workspaceId, at: now },
      'member.access_changed',
      {
        memberId,
        change,
      },
    )
}

/** Refusals are logged from the third on, because the first two are usually typing errors. */
const LOGGED_FROM = 3

/**
 * Records a refused sign-in in each workspace of the account. The entry has no author: the caller is unknown.
 */
export async function recordRefusal(
  tx: Tx,
  accountId: string,
  refused: { at: Date; failures: number; origin: RequestOrigin },
): Promise<void> {
  const { at, failures, origin } = refused
  if (failures < LOGGED_FROM) return
  const author = { actorKind: 'platform', actorId: null, actorName: null } as const
  for (const { memberId, workspaceId } of await listMembersOfAccount(tx, accountId))
    await recordBy(tx, { by: author, workspaceId, at }, 'member.sign_in_refused', {
      memberId,
      failures,
      ...origin,
    })
}
