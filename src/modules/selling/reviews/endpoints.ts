import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage } from '../../../core/paging.ts'
import { reviewsOn } from './gates.ts'
import { presentRequest } from './operations/present.ts'
import { getReview, listAllReviews, listReviewRequests, summarizeReviews } from './operations/read-reviews.ts'
import { renewLink } from './operations/renew-link.ts'
import { requestReview } from './operations/send-review-requests.ts'
import { readSettings, replaceSettings } from './operations/settings.ts'
import {
  NewReviewRequest,
  RequestFilter,
  Review,
  ReviewFilter,
  ReviewRequest,
  ReviewSettings,
  ReviewSettingsShown,
  ReviewSummary,
  ReviewSummaryQuery,
} from './schema.ts'

const shared = { tag: 'Reviews', section: '6.3', gates: [reviewsOn] } as const
const read = { ...shared, scope: 'reviews:read', role: 'viewer', bucket: 'reads' } as const
const write = { ...shared, scope: 'reviews:write', bucket: 'settings-writes' } as const
const Settings = z.object({ reviewSettings: ReviewSettingsShown })

export const getReviewSettings = endpoint({
  ...read,
  name: 'getReviewSettings',
  method: 'GET',
  path: '/review-settings',
  summary: 'Get the settings for review requests.',
  replies: { 200: Settings },
  refuses: [],
  handle: async (ctx) => reply(200, { reviewSettings: await readSettings(ctx) }),
})

export const putReviewSettings = endpoint({
  ...write,
  name: 'replaceReviewSettings',
  method: 'PUT',
  path: '/review-settings',
  summary: 'Replace the settings for review requests.',
  description: 'Omitted fields return to their defaults.',
  role: 'admin',
  body: ReviewSettings,
  example: { alertAt: 3, afterInvoicePaidHours: 24, publicUrl: 'https://portal.example.com/asha-traders' },
  replies: { 200: Settings },
  refuses: ['invalid_reference'],
  handle: async (ctx, { body }) => reply(200, { reviewSettings: await replaceSettings(ctx, body) }),
})

export const postReviewRequest = endpoint({
  ...write,
  name: 'requestReview',
  method: 'POST',
  path: '/review-requests',
  summary: 'Ask a customer to review a paid invoice or a visit.',
  description:
    '`chat`: sends a list from 1 to 5 while the 24-hour window is open, otherwise the template from the settings. `link`: sends nothing; you share `url` with the customer. Each invoice or visit gets one request. The customer can answer for 30 days.',
  role: 'agent',
  action: { title: 'Ask for a review' },
  body: NewReviewRequest,
  example: { about: 'invoice', subjectId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a21', via: 'chat' },
  replies: { 201: z.object({ reviewRequest: ReviewRequest }) },
  refuses: [
    'conflict',
    'invalid_reference',
    'contact_opted_out',
    'outside_24h_window',
    'number_banned',
    'sending_blocked',
    'quota_exceeded',
    'plan_limit_reached',
    'cannot_send_to_self',
    'needs_phone_number',
    'invalid_template_parameters',
    'template_header_media_required',
    'not_found',
  ],
  handle: async (ctx, { body }) =>
    reply(201, { reviewRequest: presentRequest(ctx, await requestReview(ctx, body)) }),
})

export const postReviewRequestLink = endpoint({
  ...write,
  name: 'renewLinkOfReviewRequest',
  method: 'POST',
  path: '/review-requests/:id/link',
  summary: "Replace the address of the customer's page of a review request. The old address stops working.",
  role: 'admin',
  subject: 'review request',
  replies: { 200: z.object({ reviewRequest: ReviewRequest }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) =>
    reply(200, { reviewRequest: presentRequest(ctx, await renewLink(ctx, params.id)) }),
})

export const getReviewRequests = endpoint({
  ...read,
  name: 'listReviewRequests',
  method: 'GET',
  path: '/review-requests',
  summary: 'List review requests, newest first.',
  query: RequestFilter,
  replies: { 200: cursorPage('reviewRequests', ReviewRequest) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listReviewRequests(ctx, query)),
})

export const getReviews = endpoint({
  ...read,
  name: 'listReviews',
  method: 'GET',
  path: '/reviews',
  summary: 'List reviews, newest first.',
  query: ReviewFilter,
  tool: { title: 'List reviews', when: 'Use it to read what customers said in reviews.' },
  replies: { 200: cursorPage('reviews', Review) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listAllReviews(ctx, query)),
})

export const getReviewSummary = endpoint({
  ...read,
  name: 'summarizeReviews',
  method: 'GET',
  path: '/reviews/summary',
  summary: 'Get the average rating, the reviews by rating, week, or month, and the answered requests.',
  query: ReviewSummaryQuery,
  replies: { 200: z.object({ reviewSummary: ReviewSummary }) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, { reviewSummary: await summarizeReviews(ctx, query) }),
})

export const getOneReview = endpoint({
  ...read,
  name: 'getReview',
  method: 'GET',
  path: '/reviews/:id',
  summary: 'Get one review.',
  subject: 'review',
  replies: { 200: z.object({ review: Review }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { review: await getReview(ctx, params.id) }),
})
