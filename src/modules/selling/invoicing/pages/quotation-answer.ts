/** The forms that answer a quotation on its page. They contain the shown version. */
import { type Html, html } from '../../../../core/values/html.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { documentTexts } from '../texts/texts.ts'
import type { ShownQuotation } from './document-view.ts'

const TONES = { accepted: 'good', declined: '', expired: 'bad', cancelled: 'bad' } as const

const hasNotice = (status: string): status is keyof typeof TONES => Object.hasOwn(TONES, status)

/** Returns the notice about the quotation's state. */
export const answerNotice = ({ status }: ShownQuotation, language: Language): Html | undefined =>
  hasNotice(status)
    ? html`<p class="notice ${TONES[status]}" role="status">${documentTexts(language).t(`notice.${status}`)}</p>`
    : undefined

/** Returns the forms while the quotation can be answered. */
export function answerForms(
  { status, version }: ShownQuotation,
  path: string,
  language: Language,
): Html | undefined {
  const { t } = documentTexts(language)
  return status === 'issued'
    ? html`<form method="post" action="${path}"><input type="hidden" name="version" value="${version}">
<button name="answer" value="accept">${t('action.accept')}</button></form>
<details><summary class="button plain">${t('action.decline')}</summary>
<form method="post" action="${path}"><input type="hidden" name="version" value="${version}">
<label for="reason">${t('decline.reason')}</label><textarea id="reason" name="reason" maxlength="500" rows="3"></textarea>
<button class="plain" name="answer" value="decline">${t('action.declineNow')}</button></form></details>`
    : undefined
}
