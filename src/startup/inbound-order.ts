/**
 * The handlers of customers' messages in order: the first that takes a message ends the chain
 * (src/modules/automating/auto-replies/DECISIONS.md).
 */
import { runningBotTaker } from '../modules/automating/bots/operations/advance-sessions.ts'
import { FIRST_ANSWERS } from '../modules/automating/bots/operations/first-answers.ts'
import { codTaker } from '../modules/automating/integrations/operations/cod-answers.ts'
import { formAnswerTaker } from '../modules/messaging/flows/operations/record-answers.ts'
import type { Taker } from '../modules/messaging/messages/intake/operations/offer-messages.ts'
import { repeatedTapTaker } from '../modules/messaging/messages/intake/operations/repeated-taps.ts'
import { consentTaker } from '../modules/messaging/messages/intake/operations/taken-words.ts'
import { ratingTaker } from '../modules/messaging/ratings/operations/rating-answers.ts'
import { pushMessages } from '../modules/platform/push/operations.ts'
import { reviewTaker } from '../modules/selling/reviews/operations/review-taker.ts'

/** Pushes every message to those who answer the chat, and takes none. */
const pushTaker: Taker = {
  name: 'push',
  take: async (unit, messages) => {
    await pushMessages(unit, messages)
    return new Set()
  },
}

export const INBOUND_ORDER: Taker[] = [
  pushTaker,
  // The customer's consent to receive messages.
  consentTaker,
  // Answers to forms are recorded, and go on to the next takers.
  formAnswerTaker,
  // Replies that a process waits for.
  codTaker,
  ratingTaker,
  reviewTaker,
  // Automatic replies.
  repeatedTapTaker,
  runningBotTaker,
  ...FIRST_ANSWERS.map(({ taker }) => taker),
]
