/**
 * Translates the server's messages. The server writes them in English, for programs and people: each message that this catalog knows
 * appears in the language of the pages, others stay in English. Loaded only in other languages.
 */
import en from './en.json'
import { t } from './texts.ts'

type Key = keyof typeof en
type Body = { error?: unknown; message?: unknown; issues?: unknown }

/** Characters with a meaning in a regular expression. */
const SPECIAL = /[.*+?^$()|[\]\\/]/g

/** Returns a pattern that an English text with values matches: each `{name}` is a group. */
const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(SPECIAL, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 'u')

/** Messages about fields, and stored reasons. */
const SENTENCES = (Object.entries(en) as [Key, string][])
  .filter(([key]) => /^(?:field|reason)\./.test(key))
  .map(([key, text]) => ({ key, pattern: patternOf(text) }))

const ABOUT_CODE = 'code.'

/** Returns a message about a field, or a stored reason, in the language of the pages; undefined for an unknown one. */
export function translateMessage(message: string): string | undefined {
  for (const { key, pattern } of SENTENCES) {
    const match = pattern.exec(message)
    if (match) return t(key, translateValues(match.groups))
  }
  return undefined
}

/** A sentence may contain another, such as the reason of a reason. */
const translateValues = (values: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, translateMessage(value) ?? value]))

const isKnown = (key: string): key is Key => key in en

/** Returns the body of an error with its texts in the language of the pages. */
export function translateError<Known extends Body>(body: Known): Known {
  const { error, message, issues } = body
  const key = `${ABOUT_CODE}${String(error)}`
  return {
    ...body,
    ...(typeof message === 'string' && {
      message: translateMessage(message) ?? (isKnown(key) ? t(key) : message),
    }),
    ...(Array.isArray(issues) && {
      issues: issues.map((issue: { message: string }) => ({
        ...issue,
        message: translateMessage(issue.message) ?? issue.message,
      })),
    }),
  }
}
