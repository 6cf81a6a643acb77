/** The page that stops the weekly mail. */
import { html } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { weeklyTexts } from '../texts/texts.ts'

/** Returns the page with the question, or with its result. */
export function stopPage(language: Language, workspace: string, isStopped: boolean): HtmlPage {
  const { t } = weeklyTexts(language)
  return {
    title: t('stop.title'),
    language,
    body: html`<main><div class="paper"><h1>${t('stop.title')}</h1>
${
  isStopped
    ? html`<p>${t('stop.done', { workspace })}</p><p class="faint">${t('stop.again')}</p>`
    : html`<p>${t('stop.question', { workspace })}</p>
<form method="post"><button>${t('stop')}</button></form>`
}</div></main>`,
  }
}
