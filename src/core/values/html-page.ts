/**
 * Pages for customers: documents, bookings, reviews. Each is a single file without fetched resources that works without
 * scripts, so its policy allows only its own style, its own script, and embedded pictures.
 */
import { createHash } from 'node:crypto'
import { type Html, html, htmlText } from './html.ts'
import { directionOf, type Language } from './languages.ts'

export type HtmlPage = {
  title: string
  body: Html
  /** English without one. */
  language?: Language
  /** Additional style, after the shared one. */
  style?: string
  /** Our own text, never a value from a request. The page also works without it. */
  script?: string
  /** Its forms may redirect to another site over https, such as a payment page. */
  leadsElsewhere?: boolean
}

/** The style of all pages: the reader's own fonts, light and dark, with touch targets of sufficient size. */
const SHARED_STYLE = `:root { color-scheme: light dark; --paper: #ffffff; --ground: #f3f4f6; --ink: #111827; --faint: #4b5563;
  --line: #d1d5db; --accent: #1d4ed8; --on-accent: #ffffff; --good: #15803d; --bad: #b91c1c }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1f27; --ground: #0f1218; --ink: #eef1f5; --faint: #a8b0bd;
  --line: #39414f; --accent: #93b4ff; --on-accent: #0f1218; --good: #6ee7a0; --bad: #fca5a5 } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Noto Sans", "Noto Sans Devanagari",
  "Noto Sans Tamil", "Noto Sans Arabic", sans-serif; overflow-wrap: anywhere }
main { max-width: 54rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
.paper { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem }
h1, h2 { line-height: 1.25; margin: 0 0 .5rem } h1 { font-size: 1.5rem } h2 { font-size: 1.05rem }
p { margin: 0 0 .75rem }
a { color: var(--accent) }
.faint { color: var(--faint) }
.notice { border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); border-radius: 8px; background: var(--paper);
  padding: .75rem 1rem; margin: 0 0 1rem }
.notice.bad { border-inline-start-color: var(--bad) } .notice.good { border-inline-start-color: var(--good) }
label { display: block; font-weight: 600; margin: 0 0 .25rem }
input, textarea, select { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--faint);
  border-radius: 8px; padding: .6rem .75rem; margin: 0 0 .75rem }
button, .button { display: inline-block; min-height: 44px; font: inherit; font-weight: 600; color: var(--on-accent);
  background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .55rem 1.25rem; cursor: pointer;
  text-decoration: none }
button.plain, .button.plain { color: var(--ink); background: transparent; border-color: var(--faint) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

const policies = new Map<string, string>()
/** Far more than there are kinds of pages; each color of a business adds some. */
const MAX_POLICIES = 500

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Returns the policy of a page with this style and script. */
function policyOf(style: string, script: string, leadsElsewhere: boolean): string {
  const name = JSON.stringify([leadsElsewhere, style, script])
  const cached = policies.get(name)
  if (cached) return cached
  const scripts = script === '' ? '' : ` script-src ${hashOf(script)};`
  const policy = `default-src 'none'; style-src ${hashOf(style)};${scripts} img-src data:; form-action 'self'${leadsElsewhere ? ' https:' : ''}; base-uri 'none'; frame-ancestors 'none'`
  if (policies.size >= MAX_POLICIES) policies.clear()
  policies.set(name, policy)
  return policy
}

/** Returns a page as text, with its Content-Security-Policy. */
export function writePage({
  title,
  body,
  language = 'en',
  style = '',
  script = '',
  leadsElsewhere = false,
}: HtmlPage): {
  text: string
  policy: string
} {
  const wholeStyle = SHARED_STYLE + style
  // The style and the script are our own text; a template would escape them.
  const head = htmlText(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
`)
  return {
    text: `${head}<style>${wholeStyle}</style>\n</head>\n<body>\n${htmlText(body)}\n${script && `<script>${script}</script>\n`}</body>\n</html>\n`,
    policy: policyOf(wholeStyle, script, leadsElsewhere),
  }
}

/** Returns a page with a short message: thanks, or that there is nothing here. */
export const messagePage = (title: string, ...paragraphs: string[]): HtmlPage => ({
  title,
  body: html`<main><div class="paper"><h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</div></main>`,
})
