/** Templates of HTML. Values are escaped unless a template made them, so a value from a request cannot become markup. */
const MARKUP = Symbol('markup')

/** Markup that a template made. */
export type Html = { readonly [MARKUP]: string }

/** Values allowed in a template; null, undefined, and false write nothing. */
export type HtmlPart = string | number | Html | null | undefined | false | readonly HtmlPart[]

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, also inside attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

function render(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return MARKUP in part ? part[MARKUP] : part.map(render).join('')
}

/** Makes markup from a template: html`<p>${name}</p>`. */
export const html = (strings: TemplateStringsArray, ...parts: HtmlPart[]): Html => ({
  [MARKUP]: strings.map((text, i) => text + (i < parts.length ? render(parts[i]) : '')).join(''),
})

/** Returns the text of markup. */
export const htmlText = (markup: Html): string => markup[MARKUP]

/** Returns text whose line breaks are kept on the page. */
export const htmlLines = (text: string): Html =>
  html`${text.split('\n').map((line, i) => (i === 0 ? line : html`<br>${line}`))}`
