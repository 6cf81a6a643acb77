/**
 * Numbers of GST registrations (GSTIN), and of embassies and UN bodies (UIN): 15 characters, the first two
 * the state, the last a check digit. The formats are those of the tax portal for GSTR-1.
 */
import { isState } from './states.ts'

/**
 * Regular, composition, casual, and special economic zones: PAN, the number of the registration, and a letter
 * for its kind.
 */
const TAXPAYER = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][1-9ABE-JZ][0-9A-Z]$/
/** Government departments: TAN. */
const DEPARTMENT = /^\d{2}[A-Z]{4}\d{5}[A-Z]\dZ[0-9A-Z]$/
/** Tax deductors (TDS): PAN or TAN. */
const TAX_DEDUCTOR = /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z]D[0-9A-Z]$/
/** Marketplaces that collect tax at source (TCS): PAN. */
const TAX_COLLECTOR = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]C[0-9A-Z]$/
/** Nonresident taxable persons: year, country, and a serial number. */
const NON_RESIDENT = /^\d{4}[A-Z]{3}\d{5}N[FR][0-9A-Z]$/
/** Online service providers from abroad (OIDAR), registered with the center and not in a state. */
const ONLINE_SERVICES = /^99\d{2}[A-Z]{3}\d{5}OS[0-9A-Z]$/
/** Embassies, bodies of the United Nations (UN), and other notified persons (ON). */
const UIN = /^\d{4}[A-Z]{3}\d{5}[UO]N[0-9A-Z]$/

const OF_STATES = [TAXPAYER, DEPARTMENT, TAX_DEDUCTOR, TAX_COLLECTOR, NON_RESIDENT, UIN]
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Returns the check digit of the first fourteen characters. */
export function gstinCheckDigit(head: string): string {
  const sum = head.split('').reduce((total, character, place) => {
    const product = DIGITS.indexOf(character) * (place % 2 === 0 ? 1 : 2)
    return total + Math.floor(product / DIGITS.length) + (product % DIGITS.length)
  }, 0)
  return DIGITS[(DIGITS.length - (sum % DIGITS.length)) % DIGITS.length]!
}

const hasForm = (text: string): boolean =>
  isOnlineServices(text) || (OF_STATES.some((form) => form.test(text)) && isState(text.slice(0, 'SS'.length)))

export const isGstin = (text: string): boolean =>
  hasForm(text) && gstinCheckDigit(text.slice(0, -1)) === text.at(-1)

/** Returns whether the number is an online service provider's from abroad, which has no state. */
export const isOnlineServices = (gstin: string): boolean => ONLINE_SERVICES.test(gstin)

/**
 * Returns whether the number is an embassy's or similar. It is not a registered person (CGST Act, section
 * 2(94)).
 */
export const isUin = (gstin: string): boolean => UIN.test(gstin)

/** Returns whether its holder issues tax invoices, or can be a unit in a special economic zone. */
export const isTaxpayer = (gstin: string): boolean => TAXPAYER.test(gstin)

/** Returns whether its holder issues documents as a seller. */
export const isSeller = (gstin: string): boolean =>
  [TAXPAYER, DEPARTMENT, NON_RESIDENT].some((form) => form.test(gstin))

/** Returns the state of a taxpayer's registration. */
export const stateOfGstin = (gstin: string): string => gstin.slice(0, 'SS'.length)
