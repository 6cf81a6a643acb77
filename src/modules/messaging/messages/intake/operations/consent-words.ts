import { normalizeWords } from '../../../../../core/values/plain-words.ts'
import type { InboundMessage } from '../../../../../operator/port.ts'
import type { ConsentWord } from '../../../contacts/operations/consent.ts'
import { tappedWords } from '../../reading/operations/customer-text.ts'
import { TEXT_MAX } from '../../schema.ts'

/**
 * Words that count only on a tapped button: CANCEL or YES on a button answers the message to which the button
 * belongs.
 */
const TAPPED: Record<string, ConsentWord['word']> = {
  stop: 'opted_out',
  unsubscribe: 'opted_out',
  start: 'lifted',
  unstop: 'lifted',
}
const WRITTEN: Record<string, ConsentWord['word']> = {
  ...TAPPED,
  cancel: 'opted_out',
  end: 'opted_out',
  quit: 'opted_out',
  yes: 'lifted',
}

const findConsentWord = (
  words: Record<string, ConsentWord['word']>,
  text: unknown,
): ConsentWord['word'] | undefined => {
  // No consent word is that long, and the operator sends no longer text.
  const word = typeof text === 'string' && text.length <= TEXT_MAX ? normalizeWords(text) : ''
  return Object.hasOwn(words, word) ? words[word] : undefined
}

/** Returns the consent word that is the whole message, or the tapped button, in any case. */
export const consentWord = (
  message: Pick<InboundMessage, 'type' | 'content'>,
): ConsentWord['word'] | undefined =>
  message.type === 'text'
    ? findConsentWord(WRITTEN, message.content.body)
    : findConsentWord(TAPPED, tappedWords(message))
