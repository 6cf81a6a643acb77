/** Keeps the pages in the language of the signed-in account. */
import type { Session } from '../api/session.ts'
import { isAnythingTyped } from '../kit/unsent-forms.ts'
import { language, storeLanguage } from '../texts.ts'

/**
 * Loads the pages again if the account, or else its workspace, has another language than this browser. Waits
 * for the next page while a form has unsent text.
 */
export function followLanguage({ account, workspace }: Pick<Session, 'account' | 'workspace'>): void {
  const chosen = account.language ?? workspace?.language ?? language
  if (chosen !== language && !isAnythingTyped() && storeLanguage(chosen)) location.reload()
}
