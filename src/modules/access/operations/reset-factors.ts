/** Removes the second factors of a person who lost them, for the operator of the installation. */
import type { Tx } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { findAccountForUpdate, findMemberForUpdate, updateAccountRow } from '../queries/accounts.ts'
import { deletePasskeys } from '../queries/passkeys.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { revokeOtherSessions } from './end-sessions.ts'
import { recordAccess } from './record-access.ts'

/** What an account without an authenticator app has. */
export const NO_APP = { totpSealed: null, totpPendingSealed: null, recoveryHashes: [] }

/** Removes a member's authenticator app, recovery codes and passkeys, and ends their sessions. Refuses `not_found`. */
export async function resetFactors(tx: Tx, memberId: string, now: Date) {
  const member = await findMemberForUpdate(tx, memberId)
  const account = member?.accountId ? await findAccountForUpdate(tx, member.accountId) : undefined
  if (!account) return refuse('not_found', `Member ${memberId} has no account. See "parley member list".`)
  const passkeys = await deletePasskeys(tx, account.id)
  await updateAccountRow(tx, account.id, NO_APP)
  await deleteTokensOfAccount(tx, account.id, ['email', 'totp', 'passkey'])
  const because = 'your second factors were removed.'
  await revokeOtherSessions(tx, { accountId: account.id }, { now, because })
  await recordAccess(tx, account.id, now, 'second factors removed from the command line')
  return { memberId, authenticatorApp: account.totpSealed !== null, passkeys }
}
