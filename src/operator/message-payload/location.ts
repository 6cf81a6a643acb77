import { decimal, object, words } from './fields.ts'

const PLACE_MAX = 1000

/**
 * A location. Latitude and longitude may be texts (docs/formats.md section 2); they are stored as numbers.
 */
export const LocationPayload = object({
  latitude: decimal(-90, 90),
  longitude: decimal(-180, 180),
  name: words(PLACE_MAX).optional(),
  address: words(PLACE_MAX).optional(),
}).meta({
  id: 'LocationPayload',
  description: 'A place on the map.',
  fields: { name: 'Name of the place.', address: 'Address of the place.' },
})
