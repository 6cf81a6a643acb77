/** What the values of the operator's webhooks have in common. */
import {
  digitsAsText,
  idOrNull,
  isObject,
  objectsIn,
  textAsNumber,
  textOrNull,
} from '../../../core/storable.ts'
import type { Customer, Unrecognised } from '../../report.ts'

export type Json = Record<string, unknown>

/** Where a value came from, for those that name no number and no time. */
export type ValueSource = {
  /** The operator's id of the account; '' when it is not known. */
  accountId: string
  /** When the operator reported it, else when it came in. */
  at: Date
}

/** A change that we do not act on, by the name of its field. */
export const unrecognised = (field: string): Unrecognised => ({ kind: 'unrecognised', field })

/** The digits of a number of the business, however it is shown; '' for none. */
export const shownDigits = (value: unknown): string =>
  textOrNull(digitsAsText(value))?.replace(/\D/g, '') ?? ''

/** A number in E.164 with +, from the operator's digits. */
export function readPhone(value: unknown): string | null {
  const digits = digitsAsText(value)
  const match = typeof digits === 'string' ? /^\+?([1-9]\d{4,14})$/.exec(digits) : null
  return match ? `+${match[1]}` : null
}

/** The end of the year 9999, which a sandbox's clock may come near to. What is more are milliseconds: less would be before 1978. */
const MAX_SECONDS = 253_402_300_799
const END_OF_TIME_MS = 253_402_300_799_999
/** The beginning of 2009: the chat network is no older, so what claims an earlier time says none. */
const FIRST_MS = 1_230_768_000_000

/** A time since 1970 in seconds, or in milliseconds as in some webhooks; a number or its text. */
export function readTime(value: unknown): Date | null {
  const time = textAsNumber(value)
  if (typeof time !== 'number' || !(time >= 0 && time <= END_OF_TIME_MS)) return null
  return new Date(time > MAX_SECONDS ? time : time * 1000)
}

/** When a message was written. */
export function readWrittenAt(value: unknown): Date | null {
  const at = readTime(value)
  return at !== null && at.getTime() < FIRST_MS ? null : at
}

/** The contact of `value.contacts` under this number or user id; the only one when there is only one of `total`. */
export function contactOf(value: Json, of: { waId: unknown; userId: unknown }, total: number): Json {
  const contacts = objectsIn(value.contacts)
  const waId = digitsAsText(of.waId)
  const own = contacts.find(
    (contact) =>
      (waId !== undefined && digitsAsText(contact.wa_id) === waId) ||
      (of.userId !== undefined && contact.user_id === of.userId),
  )
  // The operator may spell the same number in two ways; with one of each there is no doubt whose it is.
  return own ?? (contacts.length === 1 && total === 1 ? contacts[0]! : {})
}

/** Who it is; undefined when neither a number nor a user id is said. */
export function readCustomer(of: { waId: unknown; userId: unknown }, contact: Json): Customer | undefined {
  const phone = readPhone(of.waId) ?? readPhone(contact.wa_id)
  const userId = idOrNull(of.userId) ?? idOrNull(contact.user_id)
  if (phone === null && userId === null) return undefined
  const profile = isObject(contact.profile) ? contact.profile : {}
  return { phone, userId, username: textOrNull(profile.username), profileName: textOrNull(profile.name) }
}
