import { routes } from '../../../core/endpoint.ts'
import { getRatingSettings, getRatings, putRatingSettings } from './endpoints.ts'
import { conversationRated } from './events.ts'
import { ratingsSource } from './work/ratings-source.ts'

export const ratings = {
  endpoints: routes({
    'GET /rating-settings': getRatingSettings,
    'PUT /rating-settings': putRatingSettings,
    'GET /ratings': getRatings,
  }),
  events: [conversationRated],
  sources: {
    ratings: ratingsSource,
  },
}
