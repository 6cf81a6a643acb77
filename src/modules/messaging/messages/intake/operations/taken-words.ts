/**
 * STOP, START and similar words are consent commands, not messages to answer
 * (src/modules/messaging/contacts/DECISIONS.md "Contacts").
 */
import { consentWord } from './consent-words.ts'
import type { Taker } from './offer-messages.ts'

/**
 * Takes messages that change whether the customer may receive messages. START and YES mean nothing if the
 * customer had not opted out.
 */
export const consentTaker: Taker = {
  name: 'consent',
  take: (_, messages) =>
    new Set(
      messages
        .filter((message) => {
          const word = consentWord(message)
          return word === 'opted_out' || (word === 'lifted' && message.hadOptedOut)
        })
        .map(({ messageId }) => messageId),
    ),
}
