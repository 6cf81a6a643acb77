/** Text of pages. Whatever is put into a template is escaped, unless a template made it: a value of a request cannot be markup. */
const MARKUP = Symbol('markup')

/** Markup that a template made. */
export type Html = { readonly [MARKUP]: string }

/** What may stand in a template; nothing is written for null, undefined and false. */
export type HtmlPart = string | number | Html | null | undefined | false | readonly HtmlPart[]

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands in markup, in an attribute too. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one]!)

function written(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return MARKUP in part ? part[MARKUP] : part.map(written).join('')
}

/** A template of markup: html`<p>${name}</p>`. */
export const html = (strings: TemplateStringsArray, ...parts: HtmlPart[]): Html => ({
  [MARKUP]: strings.map((text, i) => text + (i < parts.length ? written(parts[i]) : '')).join(''),
})

/** The text of markup. */
export const htmlText = (markup: Html): string => markup[MARKUP]

/** Text whose lines are lines on the page too. */
export const htmlLines = (text: string): Html =>
  html`${text.split('\n').map((line, i) => (i === 0 ? line : html`<br>${line}`))}`
