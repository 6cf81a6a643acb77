import { sha256 } from '../../../../core/values/digest.ts'

/**
 * Returns the page that redeems an invitation or a reset. The page has a button, so that mail scanners, which
 * open every link, don't spend the token. The token follows the #, so that no server log and no referrer
 * contains it.
 */
export const redeemUrl = (siteUrl: string, token: string): string => `${siteUrl}/sign-in#token=${token}`

/**
 * Returns the token of the invitation link that is shown to the inviting admin. It is derived one way from
 * the mailed token, so the mailed token proves that its caller read the mail.
 */
export const shownToken = (mailed: string): string => sha256(`shown ${mailed}`).toString('base64url')
