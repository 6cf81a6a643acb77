import { sourceOfDueRows } from '../../../core/due-rows.ts'
import { askDueReviews, REVIEW_REQUESTS } from '../operations/ask-reviews.ts'
import { dueRequests } from '../queries/requests.ts'

/** Sends requests for reviews. The row that is due is the work: sent and remembered in one transaction. */
export const reviewRequestsSource = sourceOfDueRows(REVIEW_REQUESTS, dueRequests, askDueReviews)
