/**
 * Calculates the time that customers waited for answers, and by whom they were answered (DECISIONS.md). Pure.
 */
import type { ChatMessage } from './queries.ts'

export type Answer = { at: Date; seconds: number; sentBy: string | null }

/**
 * Returns the answers among the messages: each from a customer's first unanswered message to our next
 * message. `messages` must be grouped by chat, earliest first.
 */
export function findAnswers(messages: readonly ChatMessage[]): Answer[] {
  const answers: Answer[] = []
  let chat: string | undefined
  let waitingSince: Date | undefined
  for (const message of messages) {
    if (message.conversationId !== chat) waitingSince = undefined
    chat = message.conversationId
    if (message.direction === 'inbound') waitingSince ??= message.at
    else if (waitingSince) {
      answers.push({
        at: message.at,
        seconds: Math.max(0, Math.round((+message.at - +waitingSince) / 1_000)),
        sentBy: message.sentBy,
      })
      waitingSince = undefined
    }
  }
  return answers
}

/** Returns the value that a `share` of the values do not exceed; null if there are no values. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
