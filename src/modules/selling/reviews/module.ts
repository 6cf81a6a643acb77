import { routes } from '../../../core/endpoint.ts'
import {
  getOneReview,
  getReviewRequests,
  getReviewSettings,
  getReviewSummary,
  getReviews,
  postReviewRequest,
  postReviewRequestLink,
  putReviewSettings,
} from './endpoints.ts'
import { reviewReceived } from './events.ts'
import { takeReviewAnswer } from './jobs.ts'
import { reviewRequestsSource } from './work/review-requests-source.ts'

export const reviews = {
  endpoints: routes({
    'GET /review-settings': getReviewSettings,
    'PUT /review-settings': putReviewSettings,
    'POST /review-requests': postReviewRequest,
    'POST /review-requests/:id/link': postReviewRequestLink,
    'GET /review-requests': getReviewRequests,
    'GET /reviews': getReviews,
    'GET /reviews/summary': getReviewSummary,
    'GET /reviews/:id': getOneReview,
  }),
  events: [reviewReceived],
  jobs: [takeReviewAnswer],
  sources: {
    'review-requests': reviewRequestsSource,
  },
}
