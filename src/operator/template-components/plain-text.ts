import type { Issue } from '../../core/errors.ts'

// Signs that are emoji by the standard and letters by habit: ©, ®, ™, ℹ, ‼, ⁉, and plain arrows; and #, * and digits.
const EMOJI = /(?![#*\d\u00A9\u00AE\u2122\u2139\u203C\u2049\u2194-\u21AA])\p{Emoji}|\uFE0F|\u20E3/u
/** What makes text bold, struck out, or code anywhere, and italic at the edge of a word. */
const FORMATTING = /[*~`]|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/u

/** Whether the text shows an emoji. */
export const hasEmoji = (text: string): boolean => EMOJI.test(text)

/** What the operator refuses in texts that it shows as they are: "can't have any variables, newlines, emojis, or formatting characters". */
export function plainTextIssues(text: string, path: string): Issue[] {
  const issues: Issue[] = []
  if (hasEmoji(text)) issues.push({ path, message: 'Must not contain emoji.' })
  if (FORMATTING.test(text)) issues.push({ path, message: 'Must not contain formatting: *, _, ~, or `.' })
  return issues
}
