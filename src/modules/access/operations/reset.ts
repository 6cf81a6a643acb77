/** A new password by mail. */
import { HOUR_MS, later } from '../../../core/clock.ts'
import { hashToken, newToken, type SessionContext } from '../../../core/session.ts'
import { findAccountByEmail } from '../queries/accounts.ts'
import { insertToken } from '../queries/tokens.ts'
import { mayMail } from './mail-limits.ts'
import { queueMail } from './queue-mail.ts'
import { redeemUrl } from './redeem-url.ts'

const RESET_MS = HOUR_MS

/** Mails a link to who signs in by `email`. The caller does not learn whether anybody does, by what is answered or when. */
export async function resetByMail(ctx: SessionContext, email: string): Promise<void> {
  if (!ctx.outside.mailer) return
  const token = newToken()
  const expiresAt = later(ctx.now, RESET_MS)
  await ctx.transaction(async (tx) => {
    const counted = await mayMail(tx, 'reset', email, ctx.now)
    const account = await findAccountByEmail(tx, email)
    if (!counted || !account?.email) return
    await insertToken(tx, {
      hash: hashToken(token),
      purpose: 'reset',
      accountId: account.id,
      expiresAt,
      createdAt: ctx.now,
    })
    const mail = {
      to: account.email,
      subject: 'A new password for Parley',
      lines: [
        'Somebody asked for a new password for the account that signs in by this address.',
        '',
        'Choose one here within an hour:',
        redeemUrl(ctx.siteUrl, token),
        '',
        'If it was not you, nothing has changed and nothing is needed.',
      ],
    }
    await queueMail(tx, mail, { sealer: ctx.sealer, now: ctx.now, expiresAt })
  })
}
