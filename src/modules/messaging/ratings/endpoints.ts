import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { readRatings } from './operations/read-ratings.ts'
import { readRatingSettings, replaceRatingSettings } from './operations/settings.ts'
import { RatingSettings, RatingSettingsShown, Ratings, RatingsQuery } from './schema.ts'

const Answer = z.object({ ratingSettings: RatingSettingsShown })
const shared = { tag: 'Conversations', section: '6.3' } as const

export const getRatingSettings = endpoint({
  ...shared,
  name: 'getRatingSettings',
  method: 'GET',
  path: '/rating-settings',
  summary: 'Get the settings for chat ratings.',
  scope: 'conversations:read',
  role: 'admin',
  bucket: 'reads',
  replies: { 200: Answer },
  refuses: [],
  handle: async (ctx) => reply(200, { ratingSettings: await readRatingSettings(ctx) }),
})

export const putRatingSettings = endpoint({
  ...shared,
  name: 'replaceRatingSettings',
  method: 'PUT',
  path: '/rating-settings',
  summary: 'Replace the settings for chat ratings.',
  description:
    'Omitted fields return to their defaults. While ratings are enabled, Parley asks once about each chat that a teammate resolves: by a list from 1 to 5 while the window is open, otherwise by the template. If Parley can do neither, a note explains why. A tap, or a single digit as the next message, within 72 hours triggers `conversation.rated`.',
  scope: 'conversations:write',
  role: 'admin',
  bucket: 'settings-writes',
  body: RatingSettings,
  example: { enabled: true, question: 'How was our service? 1 is bad, 5 is very good.', delayMinutes: 5 },
  replies: { 200: Answer },
  refuses: ['invalid_reference'],
  handle: async (ctx, { body }) => reply(200, { ratingSettings: await replaceRatingSettings(ctx, body) }),
})

export const getRatings = endpoint({
  ...shared,
  name: 'getRatings',
  method: 'GET',
  path: '/ratings',
  summary: 'Get the ratings of chats in the last days.',
  scope: 'conversations:read',
  role: 'viewer',
  bucket: 'reads',
  query: RatingsQuery,
  replies: { 200: Ratings },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readRatings(ctx, query.days)),
})
