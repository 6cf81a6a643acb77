import type { InboundMessage } from '../../../../operator/port.ts'
import type { ConsentWord } from '../../../contacts/operations/consent.ts'

const STOP_WORDS = new Set(['stop', 'unsubscribe', 'cancel', 'end', 'quit'])
const START_WORDS = new Set(['start', 'unstop', 'yes'])

/** What the whole message, in any case, says about being written to. */
export function consentWord({
  type,
  content,
}: Pick<InboundMessage, 'type' | 'content'>): ConsentWord['word'] | undefined {
  if (type !== 'text' || typeof content.body !== 'string') return undefined
  const word = content.body.trim().toLowerCase()
  if (STOP_WORDS.has(word)) return 'opted_out'
  return START_WORDS.has(word) ? 'lifted' : undefined
}
