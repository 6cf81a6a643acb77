import { stateOfGstin } from './gstin.ts'
import { ABROAD, stateCode } from './states.ts'

export type PlacedAddress = { state?: string | undefined; country?: string | undefined }
export type PlacedParty = { gstin?: string | null | undefined; address?: PlacedAddress | null | undefined }

const HOME = 'IN'

/** Where a party is: the state of its GSTIN, else of its address; abroad 96. */
export function placeOf({ gstin, address }: PlacedParty): string | undefined {
  if (gstin) return stateOfGstin(gstin)
  if (!address) return undefined
  if (address.country !== undefined && address.country !== HOME) return ABROAD
  return address.state === undefined ? undefined : stateCode(address.state)
}

/** Where goods or a service go: as given, else where the customer is, else where the seller is. */
export const placeOfSupply = (
  given: string | undefined,
  { customer, seller }: { customer: PlacedParty; seller: PlacedParty },
): string | undefined => given ?? placeOf(customer) ?? placeOf(seller)
