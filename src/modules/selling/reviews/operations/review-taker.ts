import type { Taker } from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { tapOf } from '../../../messaging/messages/reading/operations/customer-text.ts'
import { ROW } from './send-review-requests.ts'

/** Takes taps on review requests; follow-facts.ts counts them from the message's event. */
export const reviewTaker: Taker = {
  name: 'review',
  take: (_, messages) =>
    new Set(
      messages.filter((message) => ROW.test(tapOf(message)?.id ?? '')).map(({ messageId }) => messageId),
    ),
}
