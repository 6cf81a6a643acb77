import { sha256 } from '../../../core/digest.ts'

/**
 * The page that redeems an invitation or a reset, with a button: programs that open every link of a mail do not spend it. The
 * token stands after the #, so that no server's log and no referrer has it.
 */
export const redeemUrl = (siteUrl: string, token: string): string => `${siteUrl}/sign-in#token=${token}`

/**
 * Of an invitation that is mailed, the token of the link that is shown to who invites. It comes of the mailed one, which nobody
 * makes of it: who brings the mailed one has read the mail.
 */
export const shownToken = (mailed: string): string => sha256(`shown ${mailed}`).toString('base64url')
