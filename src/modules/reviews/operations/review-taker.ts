import type { Taker } from '../../messages/intake/operations/offer-messages.ts'
import { tapOf } from '../../messages/reading/operations/heard-text.ts'
import { ROW } from './ask-reviews.ts'

/** Takes the taps on what asked for a review: the event of the message has them counted (follow-facts.ts). */
export const reviewTaker: Taker = {
  name: 'review',
  take: (_, messages) =>
    new Set(
      messages.filter((message) => ROW.test(tapOf(message)?.id ?? '')).map(({ messageId }) => messageId),
    ),
}
