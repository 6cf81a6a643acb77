/** The forms that answer a quotation on its page. They contain the shown version. */
import { type Html, html } from '../../../../core/values/html.ts'
import type { ShownQuotation } from './document-view.ts'

const NOTICES: Record<string, [tone: string, text: string]> = {
  accepted: ['good', 'You have accepted this quotation. Thank you.'],
  declined: ['', 'You have declined this quotation.'],
  expired: ['bad', 'This quotation is no longer valid. Ask for a new one.'],
  cancelled: ['bad', 'This quotation was canceled.'],
}

/** Returns the notice about the quotation's state. */
export function answerNotice({ status }: ShownQuotation): Html | undefined {
  const [tone, text] = NOTICES[status] ?? []
  return text === undefined ? undefined : html`<p class="notice ${tone}" role="status">${text}</p>`
}

/** The text for a customer whose answer was for an earlier version. */
export const CHANGED_SINCE =
  'Your answer was not saved because the quotation changed after you opened it. Please read this new version, then answer.'

/** Returns the forms while the quotation can be answered. */
export const answerForms = ({ status, version }: ShownQuotation, path: string): Html | undefined =>
  status === 'issued'
    ? html`<form method="post" action="${path}"><input type="hidden" name="version" value="${version}">
<button name="answer" value="accept">Accept the quotation</button></form>
<details><summary class="button plain">Decline</summary>
<form method="post" action="${path}"><input type="hidden" name="version" value="${version}">
<label for="reason">Reason (optional)</label><textarea id="reason" name="reason" maxlength="500" rows="3"></textarea>
<button class="plain" name="answer" value="decline">Decline the quotation</button></form></details>`
    : undefined
