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
:root { --star: #b45309 }
@media (prefers-color-scheme: dark) { :root { --star: #fbbf24 } }
.scores { display: flex; gap: .25rem }
.scores label { position: relative; flex: 1; max-width: 4.5rem; margin: 0; padding: .25rem; border-radius: 8px; text-align: center;
  color: var(--faint); cursor: pointer }
.scores span { display: block; font-size: 2.5rem; line-height: 1.1 }
.scores span::before { content: "☆" }
.scores input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer }
.scores label:has(:checked), .scores label:has(~ label :checked) { color: var(--star) }
.scores label:has(:checked) span::before, .scores label:has(~ label :checked) span::before { content: "★" }
.scores label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px }
`

const scores = Array.from({ length: MAX_RATING }, (_, i) => i + 1)

const form = ({ question, language }: ReviewView): Html => html`<form method="post">
<fieldset><legend>${question}</legend>
<div class="scores">${scores.map(
  (score) =>
    html`<label><input type="radio" name="rating" value="${score}" required><span aria-hidden="true"></span>${score}</label>`,
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
  body: html`<main><div class="paper"><h1>${view.business}</h1><p class="faint">${view.subject}</p>
${BODIES[view.state](view)}</div>${languageLinks(reviewTexts(view.language).t('language'), view.language, {})}</main>`,
})
