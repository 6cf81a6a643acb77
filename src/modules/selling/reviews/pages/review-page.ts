/** The page on which a customer answers: `/r/{token}`. */
import { type Html, html } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { LANGUAGES_STYLE, languageLinks } from '../../../../core/values/page-language.ts'
import { COMMENT_MAX, MAX_RATING } from '../schema.ts'
import { reviewTexts } from '../texts/texts.ts'

export type ReviewView = {
  language: Language
  business: string
  subject: string
  question: string
  publicUrl: string | null
  /** closed: the request has expired. off: the business has turned reviews off. */
  state: 'open' | 'answered' | 'closed' | 'off'
}

const STYLE = `main { max-width: 34rem }
fieldset { border: 0; padding: 0; margin: 0 0 1rem }
legend { font-weight: 600; padding: 0; margin: 0 0 .5rem }
.scores { display: flex; flex-wrap: wrap; gap: .5rem }
.scores label { display: flex; align-items: center; gap: .4rem; min-height: 44px; margin: 0; padding: .4rem .75rem;
  border: 1px solid var(--faint); border-radius: 8px; cursor: pointer }
.scores label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.scores input { width: auto; margin: 0 }
`

const scores = Array.from({ length: MAX_RATING }, (_, i) => i + 1)

const form = ({ question, language }: ReviewView): Html => html`<form method="post">
<fieldset><legend>${question}</legend>
<div class="scores">${scores.map(
  (score) =>
    html`<label><input type="radio" name="rating" value="${score}" required> ${score} <span aria-hidden="true">★</span></label>`,
)}</div></fieldset>
<label for="comment">${reviewTexts(language).t('comment')}</label>
<textarea id="comment" name="comment" rows="4" maxlength="${COMMENT_MAX}"></textarea>
<button>${reviewTexts(language).t('send')}</button>
</form>`

// Shown with any rating: portals forbid asking only happy customers.
const thanks = ({
  publicUrl,
  language,
}: ReviewView): Html => html`<p class="notice good">${reviewTexts(language).t('thanks')}</p>
${publicUrl === null ? null : html`<p><a class="button" href="${publicUrl}" rel="noopener noreferrer">${reviewTexts(language).t('public')}</a></p>`}`

const BODIES: Record<ReviewView['state'], (view: ReviewView) => Html> = {
  open: form,
  answered: thanks,
  closed: ({ language }) => html`<p class="notice">${reviewTexts(language).t('closed')}</p>`,
  off: ({ language }) => html`<p class="notice">${reviewTexts(language).t('off')}</p>`,
}

export const reviewPage = (view: ReviewView): HtmlPage => ({
  title: `${view.subject} · ${view.business}`,
  language: view.language,
  style: STYLE + LANGUAGES_STYLE,
  body: html`<main><div class="paper"><p class="faint">${view.business}</p><h1>${view.subject}</h1>
${BODIES[view.state](view)}</div>${languageLinks(reviewTexts(view.language).t('language'), view.language, {})}</main>`,
})
