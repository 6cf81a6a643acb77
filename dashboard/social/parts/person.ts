import type { SocialConversation } from '../../../sdk/api.ts'
import { t } from '../texts.ts'

export const nameOf = ({ contact }: Pick<SocialConversation, 'contact'>): string =>
  contact.name ?? contact.username ?? t('unknownSender')

/** Returns whether a reply may be sent at `now`; a window that the server reported closed is closed. */
export const isWindowOpen = (
  { windowOpen, windowExpiresAt }: Pick<SocialConversation, 'windowOpen' | 'windowExpiresAt'>,
  now: number,
): boolean => windowOpen && windowExpiresAt !== null && Date.parse(windowExpiresAt) > now
