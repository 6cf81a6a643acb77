/** Removes the second factors of a person who lost them. The operator of the installation runs it. */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { COMMAND_LINE } from '../../workspaces/operations/activity.ts'
import {
  type AccountRow,
  findAccountByEmail,
  findAccountForUpdate,
  findMember,
  updateAccountRow,
} from '../queries/accounts.ts'
import { deletePasskeys } from '../queries/passkeys.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { mailTexts } from '../texts/texts.ts'
import { revokeOtherSessions } from './end-sessions.ts'
import { mailLanguage } from './mail-language.ts'
import { queueMail } from './queue-mail.ts'
import { recordAccess } from './record-access.ts'

/** The columns of an account without an authenticator app. */
export const NO_APP = { totpSealed: null, totpPendingSealed: null }

async function findByEmailOrMember(tx: Tx, emailOrMemberId: string): Promise<AccountRow> {
  if (!isUuid(emailOrMemberId)) {
    const found = await findAccountByEmail(tx, emailOrMemberId)
    const account = found && (await findAccountForUpdate(tx, found.id))
    return (
      account ?? refuse('not_found', `No account signs in by ${emailOrMemberId}. See "parley member list".`)
    )
  }
  const member = await findMember(tx, emailOrMemberId)
  const account = member?.accountId ? await findAccountForUpdate(tx, member.accountId) : undefined
  return account ?? refuse('not_found', `Member ${emailOrMemberId} has no account. See "parley member list".`)
}

type ResetOptions = { now: Date; sealer: Sealer; mails: boolean }

/**
 * Removes the authenticator app, recovery codes and passkeys of an account, found by its email or a member's
 * id, and ends its sessions. Mails the person if `mails` is set. Refuses `not_found`.
 */
export async function resetFactors(tx: Tx, emailOrMemberId: string, { now, sealer, mails }: ResetOptions) {
  const account = await findByEmailOrMember(tx, emailOrMemberId)
  const passkeysRemoved = await deletePasskeys(tx, account.id)
  await updateAccountRow(tx, account.id, { ...NO_APP, recoveryHashes: [] })
  await deleteTokensOfAccount(tx, account.id, ['email', 'totp', 'passkey', 'reset'])
  const because = 'your second factors were removed.'
  const sessionsEnded = await revokeOtherSessions(
    tx,
    { accountId: account.id },
    { now, because, by: COMMAND_LINE },
  )
  await recordAccess(tx, account.id, now, 'second factors removed from the command line', COMMAND_LINE)
  const mailed = mails && account.email !== null
  if (mailed) await mailPerson(tx, account, { now, sealer })
  return {
    email: account.email,
    authenticatorAppRemoved: account.totpSealed !== null,
    passkeysRemoved,
    recoveryCodesRemoved: account.recoveryHashes.length,
    sessionsEnded,
    mailed,
  }
}

function mailPerson(
  tx: Tx,
  account: Pick<AccountRow, 'email' | 'language'>,
  { now, sealer }: Pick<ResetOptions, 'now' | 'sealer'>,
): Promise<unknown> {
  const { t } = mailTexts(mailLanguage(account))
  const mail = {
    to: account.email,
    subject: t('factors.subject'),
    lines: [t('factors.text'), t('factors.next'), '', t('factors.warning')],
  }
  return queueMail(tx, mail, { sealer, now, expiresAt: later(now, DAY_MS) })
}
