/** Names the places of supply. */
import { PLACES_OF_SUPPLY } from '../../../sdk/places.ts'

const NAMES = new Map<string, string>(PLACES_OF_SUPPLY)

const withCode = (code: string, name: string): string => `${name} (${code})`

/** Returns the common name of a place with its code; undefined if there is none. */
export const placeName = (code: string | null | undefined): string | undefined =>
  code ? withCode(code, NAMES.get(code) ?? code) : undefined

/** Returns the name of an address's state from its code; other texts are returned unchanged. */
export const stateName = (state: string): string => NAMES.get(state) ?? state

export const PLACE_CHOICES = PLACES_OF_SUPPLY.map(([value, name]) => ({
  value,
  label: withCode(value, name),
}))
