/**
 * The page that redeems an invitation or a reset, with a button: programs that open every link of a mail do not spend it. The
 * token stands after the #, so that no server's log and no referrer has it.
 */
export const redeemUrl = (siteUrl: string, token: string): string => `${siteUrl}/sign-in#token=${token}`
