import { sourceOfDueRows } from '../../../../database/sql/due-rows.ts'
import { askDueReviews, REVIEW_REQUESTS } from '../operations/send-review-requests.ts'
import { dueRequests } from '../queries/requests.ts'

/** Sends review requests. The due row is the job: sent and recorded in one transaction. */
export const reviewRequestsSource = sourceOfDueRows(REVIEW_REQUESTS, dueRequests, askDueReviews)
