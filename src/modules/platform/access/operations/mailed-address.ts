/** The end of an owner's placeholder address, used if the owner has no email. No mail goes there. */
const PLACEHOLDER_DOMAIN = '.local'

/** Whether mail can go to this address. */
export const isMailed = (email: string): boolean => !email.endsWith(PLACEHOLDER_DOMAIN)
