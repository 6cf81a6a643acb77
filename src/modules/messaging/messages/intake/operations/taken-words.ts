/**
 * STOP, START and similar words are consent commands, not messages to answer
 * (src/modules/messaging/contacts/DECISIONS.md "Contacts").
 */
import { consentWord } from './consent-words.ts'
import type { Offered, Taker } from './offer-messages.ts'

/** Returns whether a message changes if the customer may receive messages. START and YES do so only after an opt-out. */
export function isConsentCommand(message: Pick<Offered, 'type' | 'content' | 'hadOptedOut'>): boolean {
  const word = consentWord(message)
  return word === 'opted_out' || (word === 'lifted' && message.hadOptedOut)
}

/** Takes messages that change whether the customer may receive messages. */
export const consentTaker: Taker = {
  name: 'consent',
  take: (_, messages) => new Set(messages.filter(isConsentCommand).map(({ messageId }) => messageId)),
}
