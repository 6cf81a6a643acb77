import type { SocialConversation } from '../../../sdk/api.ts'
import { t } from '../words.ts'

export const nameOf = ({ contact }: Pick<SocialConversation, 'contact'>): string =>
  contact.name ?? contact.username ?? t('someone')

/** Whether a reply may be sent at `now`; what the server has seen closed is closed. */
export const isWindowOpen = (
  { windowOpen, windowExpiresAt }: Pick<SocialConversation, 'windowOpen' | 'windowExpiresAt'>,
  now: number,
): boolean => windowOpen && windowExpiresAt !== null && Date.parse(windowExpiresAt) > now
