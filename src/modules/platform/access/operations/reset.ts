/** Password resets by mail. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import { hashToken, newToken, type SessionContext } from '../../../../core/session.ts'
import { findAccountByEmail } from '../queries/accounts.ts'
import { insertToken } from '../queries/tokens.ts'
import { mayMail } from './mail-limits.ts'
import { queueMail } from './queue-mail.ts'
import { redeemUrl } from './redeem-url.ts'
import { countReset } from './sign-in-limits.ts'

const RESET_MS = HOUR_MS

/**
 * Mails a reset link to the person who signs in with `email`. An unknown address runs the same statements and
 * queues a mail that is not sent, so that neither answer nor time reveals an account. Refuses `rate_limited`.
 */
export async function resetByMail(ctx: SessionContext, email: string): Promise<void> {
  if (!ctx.outside.mailer) return
  const token = newToken()
  const expiresAt = later(ctx.now, RESET_MS)
  await ctx.transaction(async (tx) => {
    await countReset(tx, ctx.sender, ctx.now)
    const counted = await mayMail(tx, 'reset', email, ctx.now)
    const account = await findAccountByEmail(tx, email)
    if (!counted) return
    await insertToken(tx, {
      hash: hashToken(token),
      purpose: 'reset',
      accountId: account?.id ?? null,
      expiresAt,
      createdAt: ctx.now,
    })
    const mail = {
      to: account?.email ?? null,
      subject: 'Reset your Parley password',
      lines: [
        'We received a request to reset the password of your Parley account.',
        '',
        'Choose a new password within an hour:',
        redeemUrl(ctx.siteUrl, token),
        '',
        'If this was not you, ignore this email. Nothing has changed.',
      ],
    }
    await queueMail(tx, mail, { sealer: ctx.sealer, now: ctx.now, expiresAt })
  })
}
