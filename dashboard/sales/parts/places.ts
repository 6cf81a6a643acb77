/** Where a supply takes place, by name. */
import { PLACES_OF_SUPPLY } from '../../../sdk/places.ts'

const NAMES = new Map<string, string>(PLACES_OF_SUPPLY)

const withCode = (code: string, name: string): string => `${name} (${code})`

/** As people know it, with its code; undefined where there is none. */
export const placeName = (code: string | null | undefined): string | undefined =>
  code ? withCode(code, NAMES.get(code) ?? code) : undefined

/** A state of an address, which may be given by its code: its name; whatever else is given, as it is. */
export const stateName = (given: string): string => NAMES.get(given) ?? given

export const PLACE_CHOICES = PLACES_OF_SUPPLY.map(([value, name]) => ({
  value,
  label: withCode(value, name),
}))
