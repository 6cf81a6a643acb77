/** STOP, START and their kin are words to us, and no messages to answer (docs/decisions/consent.md). */
import { consentWord } from './consent-words.ts'
import type { Taker } from './offer-messages.ts'

/** Takes what says whether the customer may be written to. START and YES say nothing where nothing was refused. */
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
