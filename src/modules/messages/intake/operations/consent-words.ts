import { plainWords } from '../../../../core/plain-words.ts'
import type { InboundMessage } from '../../../../operator/port.ts'
import type { ConsentWord } from '../../../contacts/operations/consent.ts'
import { tappedWords } from '../../reading/operations/heard-text.ts'

/** What a tapped button may say: CANCEL or YES on one answers the message that it stands under. */
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

const wordIn = (
  words: Record<string, ConsentWord['word']>,
  text: unknown,
): ConsentWord['word'] | undefined => {
  const word = typeof text === 'string' ? plainWords(text) : ''
  return Object.hasOwn(words, word) ? words[word] : undefined
}

/** What the whole message, or the button tapped, in any case, says about being written to. */
export const consentWord = (
  message: Pick<InboundMessage, 'type' | 'content'>,
): ConsentWord['word'] | undefined =>
  message.type === 'text' ? wordIn(WRITTEN, message.content.body) : wordIn(TAPPED, tappedWords(message))
