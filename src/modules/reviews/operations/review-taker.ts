import type { Taker } from '../../messages/intake/operations/offer-messages.ts'
import { tapOf } from '../../messages/reading/operations/heard-text.ts'
import { ROW } from './ask-reviews.ts'

/** Takes taps on review requests; follow-facts.ts counts them from the message's event. */
export const reviewTaker: Taker = {
  name: 'review',
  take: (_, messages) =>
    new Set(
      messages.filter((message) => ROW.test(tapOf(message)?.id ?? '')).map(({ messageId }) => messageId),
    ),
}
