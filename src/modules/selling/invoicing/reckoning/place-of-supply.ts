import { isOnlineServices, isUin, stateOfGstin } from './gstin.ts'
import { ABROAD, stateCode } from './states.ts'

export type PlacedAddress = { state?: string | undefined; country?: string | undefined }
export type PlacedParty = { gstin?: string | null | undefined; address?: PlacedAddress | null | undefined }
/** A customer, and the delivery address of goods. */
export type PlacedCustomer = PlacedParty & { delivery?: PlacedAddress | null | undefined }

const HOME = 'IN'

export const isAbroad = ({ country }: PlacedAddress): boolean => country !== undefined && country !== HOME

function placeOfAddress(address: PlacedAddress | null | undefined): string | undefined {
  if (!address) return undefined
  if (isAbroad(address)) return ABROAD
  return address.state === undefined ? undefined : stateCode(address.state)
}

/** Returns the place of a party: the state in its GSTIN, or in its address; 96 for abroad. */
export function placeOf({ gstin, address }: PlacedParty): string | undefined {
  if (gstin) return isOnlineServices(gstin) ? ABROAD : stateOfGstin(gstin)
  return placeOfAddress(address)
}

/** Returns whether a customer is a registered person. Embassies have a number but aren't. */
const isRegistered = ({ gstin }: PlacedParty): boolean => Boolean(gstin) && !isUin(gstin!)

/** Returns whether a line is a service: its HSN code begins with 99. */
const isService = ({ hsn }: { hsn?: string | null | undefined }): boolean => hsn?.startsWith('99') ?? false

/**
 * Returns where goods are delivered to an unregistered customer. That place decides the tax (IGST Act,
 * section 10(1)(a) and (ca); circular 209/3/2024). Undefined: the customer is registered, all lines are
 * services, or there is no delivery address.
 */
export function placeOfDelivery(
  { delivery, ...customer }: PlacedCustomer,
  lines: { hsn?: string | null | undefined }[],
): string | undefined {
  if (isRegistered(customer) || (lines.length > 0 && lines.every(isService))) return undefined
  return placeOfAddress(delivery)
}

/**
 * Returns the place of supply: the given one; the place of delivery to an unregistered customer; the
 * customer's place; or the seller's. For a registered customer, it is the place of the GSTIN, regardless of
 * the delivery (section 10(1)(b)).
 */
export function placeOfSupply(
  requestedState: string | undefined,
  {
    customer,
    seller,
    lines = [],
  }: { customer: PlacedCustomer; seller: PlacedParty; lines?: { hsn?: string | null | undefined }[] },
): string | undefined {
  // The address on record takes precedence over the state of a UIN.
  const billing = isRegistered(customer) ? undefined : placeOfAddress(customer.address)
  return requestedState ?? placeOfDelivery(customer, lines) ?? billing ?? placeOf(customer) ?? placeOf(seller)
}
