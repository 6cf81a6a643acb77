/**
 * Changes the email that an account signs in with. A mailed link confirms the new email if this installation
 * sends mail.
 */
import { DAY_MS, HOUR_MS, later, SECOND_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { hashToken, newToken, type SessionContext } from '../../../../core/session.ts'
import { isSameEmail } from '../../../../database/sql/email-key.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import {
  type AccountRow,
  findAccountByEmail,
  findAccountForUpdate,
  updateAccountRow,
  updateMemberEmails,
} from '../queries/accounts.ts'
import { deleteTokensOfAccount, insertToken } from '../queries/tokens.ts'
import { mailTexts } from '../texts/texts.ts'
import { mailLanguage } from './mail-language.ts'
import { mayMail } from './mail-limits.ts'
import { queueMail } from './queue-mail.ts'
import { recordAccess } from './record-access.ts'
import { redeemUrl } from './redeem-url.ts'

const CONFIRM_MS = DAY_MS

async function requireFree(tx: Tx, email: string, accountId: string): Promise<void> {
  await lockEmail(tx, email)
  const other = await findAccountByEmail(tx, email)
  if (other && other.id !== accountId)
    refuse('conflict', `Another account already uses ${email}. Use another email.`)
}

/** Makes `email` the account's email. Links mailed to the old address stop working. */
async function setEmail(tx: Tx, account: AccountRow, email: string, now: Date): Promise<void> {
  await requireFree(tx, email, account.id)
  await deleteTokensOfAccount(tx, account.id, ['reset', 'email'])
  await updateAccountRow(tx, account.id, { email })
  if (account.email !== null) await updateMemberEmails(tx, account.id, { from: account.email, to: email })
  await recordAccess(tx, account.id, now, 'email changed')
}

/**
 * Changes the email, or mails a confirmation link and returns the address to confirm. Refuses `conflict`,
 * `rate_limited`.
 */
export async function changeEmail(
  tx: Tx,
  ctx: SessionContext,
  account: AccountRow,
  email: string,
): Promise<string | undefined> {
  if (account.email !== null && (await isSameEmail(tx, email, account.email))) {
    await updateAccountRow(tx, account.id, { email })
    return undefined
  }
  if (!ctx.outside.mailer) {
    await setEmail(tx, account, email, ctx.now)
    return undefined
  }
  await requireFree(tx, email, account.id)
  if (!(await mayMail(tx, 'confirmation', email, ctx.now)))
    refuse(
      'rate_limited',
      `We have already sent several links to ${email}. Open the last one, or try again in an hour.`,
      {
        retryAfterSeconds: HOUR_MS / SECOND_MS,
      },
    )
  // Only the last requested address can be confirmed.
  await deleteTokensOfAccount(tx, account.id, ['email'])
  const token = newToken()
  const expiresAt = later(ctx.now, CONFIRM_MS)
  await insertToken(tx, {
    hash: hashToken(token),
    purpose: 'email',
    accountId: account.id,
    challenge: email,
    expiresAt,
    createdAt: ctx.now,
  })
  const { t } = mailTexts(mailLanguage(account))
  const mail = {
    to: email,
    subject: t('confirmation.subject'),
    lines: [
      t('confirmation.text', { name: account.name }),
      '',
      t('confirmation.confirm'),
      redeemUrl(ctx.siteUrl, token),
      '',
      t('ignore'),
    ],
  }
  await queueMail(tx, mail, { sealer: ctx.sealer, now: ctx.now, expiresAt })
  return email
}

/**
 * Changes the email after its confirmation link was opened, which proves that the address is the person's.
 */
export async function confirmEmail(tx: Tx, accountId: string, email: string, now: Date): Promise<void> {
  const account = await findAccountForUpdate(tx, accountId)
  if (!account) return refuse('not_found', "This account doesn't exist anymore.")
  await setEmail(tx, account, email, now)
  await updateAccountRow(tx, accountId, { emailProven: true })
}
