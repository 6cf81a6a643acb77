/** Chooses the saved replies that the assistant receives. Pure. */
import type { Utterance } from '../../../assistant/port.ts'
import { cutText } from '../../../core/values/cut-text.ts'

const CHOSEN = 15
const SHOWN_CHARACTERS = 500
/** The customer's latest messages, whose words count. */
const READ_MESSAGES = 5
/** Shorter words say little about the subject. */
const WORD_MIN = 3

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length >= WORD_MIN))

/** Returns the replies with the most words of the customer's latest messages, and otherwise the first ones. */
export function chooseReplies(replies: readonly string[], utterances: readonly Utterance[]): string[] {
  const questions = utterances.filter(({ by }) => by === 'customer').slice(-READ_MESSAGES)
  const questionWords = wordsOf(questions.map(({ text }) => text).join(' '))
  const ranked = replies.map((text) => ({ text, shared: wordsOf(text).intersection(questionWords).size }))
  return ranked
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, CHOSEN)
    .map(({ text }) => cutText(text, SHOWN_CHARACTERS))
}
