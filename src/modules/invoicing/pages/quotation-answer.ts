/** How a customer answers a quotation on its page: forms that carry the version that is shown. */
import { type Html, html } from '../../../core/html.ts'
import type { ShownQuotation } from './document-view.ts'

const NOTICES: Record<string, [tone: string, text: string]> = {
  accepted: ['good', 'You have accepted this quotation. Thank you.'],
  declined: ['', 'You have declined this quotation.'],
  expired: ['bad', 'This quotation is no longer valid. Ask for a new one.'],
  cancelled: ['bad', 'This quotation was cancelled.'],
}

/** What became of the quotation. */
export function answerNotice({ status }: ShownQuotation): Html | undefined {
  const [tone, text] = NOTICES[status] ?? []
  return text === undefined ? undefined : html`<p class="notice ${tone}" role="status">${text}</p>`
}

/** What a customer reads whose answer was to a version that is not the present one. */
export const CHANGED_SINCE =
  "This quotation changed after you opened it, so your answer wasn't saved. Read the new version below, then answer."

/** The forms, while there is something to answer. */
export const answerForms = ({ status, version }: ShownQuotation, path: string): Html | undefined =>
  status === 'issued'
    ? html`<form method="post" action="${path}"><input type="hidden" name="version" value="${version}">
<button name="answer" value="accept">Accept the quotation</button></form>
<details><summary class="button plain">Decline</summary>
<form method="post" action="${path}"><input type="hidden" name="version" value="${version}">
<label for="reason">Why? You need not say.</label><textarea id="reason" name="reason" maxlength="500" rows="3"></textarea>
<button class="plain" name="answer" value="decline">Decline the quotation</button></form></details>`
    : undefined
