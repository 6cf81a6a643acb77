/**
 * Calculates the time that customers waited for answers, and by whom they were answered
 * (docs/decisions/analytics.md). Pure.
 */
import type { Said } from './queries.ts'

export type Answer = { at: Date; seconds: number; by: string | null }

/**
 * Returns the answers among the messages: each from a customer's first unanswered message to our next
 * message. `said` must be grouped by chat, earliest first.
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

/** Returns the value that a `share` of the values do not exceed; null if there are no values. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
