/** The language of a page for customers, and the links to its other languages. The choice stays in the address. */
import { type Html, html } from './html.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language, languageOf } from './languages.ts'

type Query = Record<string, unknown>

/** Returns the language that the address names; undefined if it names none of ours. */
export const chosenLanguage = ({ lang }: Query): Language | undefined =>
  typeof lang === 'string' ? languageOf(lang) : undefined

/** Returns the choice for the query of a link; empty without one. */
export function langIn(query: Query): Record<string, string> {
  const lang = chosenLanguage(query)
  return lang === undefined ? {} : { lang }
}

/** Returns links to the page in every language; `kept` are the values of the query that stay. */
export const languageLinks = (title: string, shown: Language, kept: Record<string, string>): Html =>
  html`<nav class="languages" aria-label="${title}">${LANGUAGES.map(
    (language) =>
      html`<a href="?${String(new URLSearchParams({ ...kept, lang: language }))}" lang="${language}" hreflang="${language}"${
        language === shown && html` aria-current="true"`
      }>${LANGUAGE_NAMES[language]}</a> `,
  )}</nav>`

export const LANGUAGES_STYLE = `
.languages { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 1rem 0 0 }
.languages a { color: var(--faint); min-height: 44px; align-content: center }
.languages [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none }
`
