import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { cursorPage } from '../../core/paging.ts'
import { reviewsOn } from './gates.ts'
import { requestReview } from './operations/ask-reviews.ts'
import { presentRequest } from './operations/present.ts'
import { getReview, listAllReviews, listReviewRequests } from './operations/read-reviews.ts'
import { renewLink } from './operations/renew-link.ts'
import { readSettings, replaceSettings } from './operations/settings.ts'
import {
  NewReviewRequest,
  RequestFilter,
  Review,
  ReviewFilter,
  ReviewRequest,
  ReviewSettings,
  ReviewSettingsShown,
} from './schema.ts'

const FACE = { tag: 'Reviews', section: '6.3', gates: [reviewsOn] } as const
const READS = { ...FACE, scope: 'reviews:read', role: 'viewer', bucket: 'reads' } as const
const WRITES = { ...FACE, scope: 'reviews:write', bucket: 'settings-writes' } as const
const Settings = z.object({ reviewSettings: ReviewSettingsShown })

export const getReviewSettings = endpoint({
  ...READS,
  name: 'getReviewSettings',
  method: 'GET',
  path: '/review-settings',
  summary: 'How and when customers are asked for reviews.',
  replies: { 200: Settings },
  refuses: [],
  handle: async (ctx) => reply(200, { reviewSettings: await readSettings(ctx) }),
})

export const putReviewSettings = endpoint({
  ...WRITES,
  name: 'replaceReviewSettings',
  method: 'PUT',
  path: '/review-settings',
  summary: 'Replace the settings of reviews.',
  description: 'What is left out goes back to its default.',
  role: 'admin',
  body: ReviewSettings,
  example: { alertAt: 3, afterInvoicePaidHours: 24, publicUrl: 'https://portal.example.com/asha-traders' },
  replies: { 200: Settings },
  refuses: ['invalid_reference'],
  handle: async (ctx, { body }) => reply(200, { reviewSettings: await replaceSettings(ctx, body) }),
})

export const postReviewRequest = endpoint({
  ...WRITES,
  name: 'requestReview',
  method: 'POST',
  path: '/review-requests',
  summary: 'Ask a customer for a review of a paid invoice or of a visit.',
  description:
    'By chat: a list from 1 to 5 while the 24-hour window is open, else the template of the settings. By link: nothing is sent, and ' +
    'you pass `url` on. Each subject is asked about once. It can be answered for 30 days.',
  role: 'agent',
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
  ...WRITES,
  name: 'renewLinkOfReviewRequest',
  method: 'POST',
  path: '/review-requests/:id/link',
  summary: "Put a new address of the customer's page of a request in the place of the one before.",
  role: 'admin',
  subject: 'review request',
  replies: { 200: z.object({ reviewRequest: ReviewRequest }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) =>
    reply(200, { reviewRequest: presentRequest(ctx, await renewLink(ctx, params.id)) }),
})

export const getReviewRequests = endpoint({
  ...READS,
  name: 'listReviewRequests',
  method: 'GET',
  path: '/review-requests',
  summary: 'Who is, or was, asked for a review, newest first.',
  query: RequestFilter,
  replies: { 200: cursorPage('reviewRequests', ReviewRequest) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listReviewRequests(ctx, query)),
})

export const getReviews = endpoint({
  ...READS,
  name: 'listReviews',
  method: 'GET',
  path: '/reviews',
  summary: 'What customers answered, newest first.',
  query: ReviewFilter,
  replies: { 200: cursorPage('reviews', Review) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listAllReviews(ctx, query)),
})

export const getOneReview = endpoint({
  ...READS,
  name: 'getReview',
  method: 'GET',
  path: '/reviews/:id',
  summary: 'One review.',
  subject: 'review',
  replies: { 200: z.object({ review: Review }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { review: await getReview(ctx, params.id) }),
})
