/** Readers shared by all values of the operator's webhooks. */
import {
  digitsAsText,
  idOrNull,
  isObject,
  objectsIn,
  textAsNumber,
  textOrNull,
} from '../../../core/values/storable.ts'
import type { Customer, Unrecognized } from '../../report.ts'

export type Json = Record<string, unknown>

/** The origin of a value, for values without a number or a time. */
export type ValueSource = {
  /** The operator's id of the account; '' if unknown. */
  accountId: string
  /** The operator's time of the report, or else its time of arrival. */
  at: Date
}

/** A change that Parley does not process, named by its field. */
export const unrecognized = (field: string): Unrecognized => ({ kind: 'unrecognized', field })

/** Returns the digits of a number of the business in any format; '' for none. */
export const shownDigits = (value: unknown): string =>
  textOrNull(digitsAsText(value))?.replace(/\D/g, '') ?? ''

/** Returns a number in E.164 with +, from the operator's digits. */
export function readPhone(value: unknown): string | null {
  const digits = digitsAsText(value)
  const match = typeof digits === 'string' ? /^\+?([1-9]\d{4,14})$/.exec(digits) : null
  return match ? `+${match[1]}` : null
}

/**
 * The end of the year 9999, which a sandbox's clock may approach. Larger values are milliseconds: smaller
 * ones would be before 1978.
 */
const MAX_SECONDS = 253_402_300_799
const END_OF_TIME_MS = 253_402_300_799_999
/** The start of 2009. The chat network is not older, so an earlier time is invalid. */
const FIRST_MS = 1_230_768_000_000

/** Reads a time since 1970 in seconds, or in milliseconds as in some webhooks; a number or its text. */
export function readTime(value: unknown): Date | null {
  const time = textAsNumber(value)
  if (typeof time !== 'number' || !(time >= 0 && time <= END_OF_TIME_MS)) return null
  return new Date(time > MAX_SECONDS ? time : time * 1000)
}

/** Reads the time when a message was written. */
export function readWrittenAt(value: unknown): Date | null {
  const time = readTime(value)
  return time !== null && time.getTime() < FIRST_MS ? null : time
}

/**
 * Returns the contact of `value.contacts` with this number or user id; the only contact if there is one and
 * `total` is 1.
 */
export function contactOf(value: Json, of: { waId: unknown; userId: unknown }, total: number): Json {
  const contacts = objectsIn(value.contacts)
  const waId = digitsAsText(of.waId)
  const own = contacts.find(
    (contact) =>
      (waId !== undefined && digitsAsText(contact.wa_id) === waId) ||
      (of.userId !== undefined && contact.user_id === of.userId),
  )
  // The operator may write the same number in two ways; with one contact and one item, they belong together.
  return own ?? (contacts.length === 1 && total === 1 ? contacts[0]! : {})
}

/** Returns the customer; undefined if there is neither a number nor a user id. */
export function readCustomer(of: { waId: unknown; userId: unknown }, contact: Json): Customer | undefined {
  const phone = readPhone(of.waId) ?? readPhone(contact.wa_id)
  const userId = idOrNull(of.userId) ?? idOrNull(contact.user_id)
  if (phone === null && userId === null) return undefined
  const profile = isObject(contact.profile) ? contact.profile : {}
  return { phone, userId, username: textOrNull(profile.username), profileName: textOrNull(profile.name) }
}
