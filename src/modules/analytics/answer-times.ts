/** How long customers waited for an answer, and whose it was (docs/decisions/analytics.md). Pure. */
import type { Said } from './queries.ts'

export type Answer = { at: Date; seconds: number; by: string | null }

/**
 * The answers in what was said: each from the first message of a customer's that nobody had answered to the next one of ours. What a
 * chat began with before the window counts as said by nobody.
 */
export function answersIn(said: readonly Said[]): Answer[] {
  const answers: Answer[] = []
  let chat: string | undefined
  let since: Date | undefined
  for (const one of said) {
    if (one.conversationId !== chat) since = undefined
    chat = one.conversationId
    if (one.direction === 'inbound') since ??= one.at
    else if (since) {
      answers.push({
        at: one.at,
        seconds: Math.max(0, Math.round((+one.at - +since) / 1_000)),
        by: one.sentBy,
      })
      since = undefined
    }
  }
  return answers
}

/** The value that `share` of the values do not exceed; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
