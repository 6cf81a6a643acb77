import type { Issue } from '../../core/errors.ts'

// Excludes characters that are emoji by the standard but used as text: ©, ®, ™, ℹ, ‼, ⁉, plain arrows, #, *,
// and digits.
const EMOJI = /(?![#*\d\u00A9\u00AE\u2122\u2139\u203C\u2049\u2194-\u21AA])\p{Emoji}|\uFE0F|\u20E3/u
/** Characters that make text bold, struck out, or code anywhere, and italic at the edge of a word. */
const FORMATTING = /[*~`]|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/u

/** Returns whether the text contains an emoji. */
export const hasEmoji = (text: string): boolean => EMOJI.test(text)

/**
 * Returns the operator's objections to texts that it shows literally: "can't have any variables, newlines,
 * emojis, or formatting characters".
 */
export function plainTextIssues(text: string, path: string): Issue[] {
  const issues: Issue[] = []
  if (hasEmoji(text)) issues.push({ path, message: 'Must not contain emoji.' })
  if (FORMATTING.test(text)) issues.push({ path, message: 'Must not contain formatting: *, _, ~, or `.' })
  return issues
}
