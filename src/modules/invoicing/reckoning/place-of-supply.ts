import { isOnlineServices, isUin, stateOfGstin } from './gstin.ts'
import { ABROAD, stateCode } from './states.ts'

export type PlacedAddress = { state?: string | undefined; country?: string | undefined }
export type PlacedParty = { gstin?: string | null | undefined; address?: PlacedAddress | null | undefined }
/** A customer, and where goods go for them. */
export type PlacedCustomer = PlacedParty & { delivery?: PlacedAddress | null | undefined }

const HOME = 'IN'

export const isAbroad = ({ country }: PlacedAddress): boolean => country !== undefined && country !== HOME

function placeOfAddress(address: PlacedAddress | null | undefined): string | undefined {
  if (!address) return undefined
  if (isAbroad(address)) return ABROAD
  return address.state === undefined ? undefined : stateCode(address.state)
}

/** Where a party is: the state of its GSTIN, else of its address; abroad 96. */
export function placeOf({ gstin, address }: PlacedParty): string | undefined {
  if (gstin) return isOnlineServices(gstin) ? ABROAD : stateOfGstin(gstin)
  return placeOfAddress(address)
}

/** Whether a customer is a registered person. Embassies have a number and are none. */
const isRegistered = ({ gstin }: PlacedParty): boolean => Boolean(gstin) && !isUin(gstin!)

/** Services have HSN codes that begin with 99. */
const isService = ({ hsn }: { hsn?: string | null | undefined }): boolean => hsn?.startsWith('99') ?? false

/**
 * Where goods are delivered to a customer who is not registered. That place decides the tax (IGST Act, section 10(1)(a) and (ca);
 * circular 209/3/2024). Undefined: the customer is registered, only services are sold, or no delivery address is given.
 */
export function placeOfDelivery(
  { delivery, ...customer }: PlacedCustomer,
  lines: { hsn?: string | null | undefined }[],
): string | undefined {
  if (isRegistered(customer) || (lines.length > 0 && lines.every(isService))) return undefined
  return placeOfAddress(delivery)
}

/**
 * Where goods or a service go. As given; else where goods are delivered to a customer who is not registered; else where the customer is;
 * else where the seller is. For a registered customer the place is that of its GSTIN, wherever the goods go (section 10(1)(b)).
 */
export function placeOfSupply(
  given: string | undefined,
  {
    customer,
    seller,
    lines = [],
  }: { customer: PlacedCustomer; seller: PlacedParty; lines?: { hsn?: string | null | undefined }[] },
): string | undefined {
  // The address on record comes before the state of a UIN.
  const billing = isRegistered(customer) ? undefined : placeOfAddress(customer.address)
  return given ?? placeOfDelivery(customer, lines) ?? billing ?? placeOf(customer) ?? placeOf(seller)
}
