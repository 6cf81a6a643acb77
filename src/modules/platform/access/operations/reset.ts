/** Password resets by mail. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import { hashToken, newToken, type SessionContext } from '../../../../core/session.ts'
import { findAccountByEmail } from '../queries/accounts.ts'
import { insertToken } from '../queries/tokens.ts'
import { mailTexts } from '../texts/texts.ts'
import { mailLanguage } from './mail-language.ts'
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
  if (!ctx.outside.mailer || ctx.outside.identityProvider?.only) return
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
    const { t } = mailTexts(mailLanguage(account))
    const mail = {
      to: account?.email ?? null,
      subject: t('reset.subject'),
      lines: [t('reset.text'), '', t('reset.choose'), redeemUrl(ctx.siteUrl, token), '', t('ignore')],
    }
    await queueMail(tx, mail, { sealer: ctx.sealer, now: ctx.now, expiresAt })
  })
}
