/**
 * Who is offered what customers write, in this order: the first that takes a message leaves nothing to the next
 * (docs/decisions/auto-replies.md).
 */
import { greetingTaker, keywordTaker } from '../modules/auto-replies/operations/answer-messages.ts'
import { runningBotTaker } from '../modules/bots/operations/advance-sessions.ts'
import { botEntryTaker } from '../modules/bots/operations/enter-bots.ts'
import { codTaker } from '../modules/integrations/operations/cod-answers.ts'
import type { Taker } from '../modules/messages/intake/operations/offer-messages.ts'
import { repeatedTapTaker } from '../modules/messages/intake/operations/repeated-taps.ts'
import { consentTaker } from '../modules/messages/intake/operations/taken-words.ts'
import { ratingTaker } from '../modules/messages/ratings/operations/rating-answers.ts'
import { reviewTaker } from '../modules/reviews/operations/review-taker.ts'

export const INBOUND_ORDER: Taker[] = [
  // What the customer says of being written to.
  consentTaker,
  // Answers that somebody waits for.
  codTaker,
  ratingTaker,
  reviewTaker,
  // Answers without a person.
  repeatedTapTaker,
  runningBotTaker,
  keywordTaker,
  botEntryTaker,
  greetingTaker,
]
