import { z } from 'zod'

/** The first moment of the range that ISO 8601 and PostgreSQL write alike: years of four digits, in UTC. */
export const FIRST_MOMENT = new Date('0001-01-01T00:00:00.000Z')
export const LAST_MOMENT = new Date('9999-12-31T23:59:59.999Z')

const INSTANT_FORM = 'Must be an ISO 8601 time, such as 2026-06-01T09:30:00Z.'

/** Short forms of ISO 8601, as some languages write a time at the full minute, or an offset: `10:00Z`, `+0530`, `+05`. */
const SHORT = /^(.{10}T\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/
const toFullForm = (text: string): string => {
  const [, minutes, seconds = ':00', hours, rest = '00'] = SHORT.exec(text) ?? []
  if (minutes === undefined) return text
  return `${minutes}${seconds}${hours === undefined ? 'Z' : `${hours}:${rest}`}`
}

/** A time without an offset, as people write it in their time zone. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

let localZone: string | undefined

/** Reads times without an offset in this zone (`Asia/Kolkata`) while `read` runs. `read` must be synchronous. */
export function readTimesIn<Value>(timezone: string | undefined, read: () => Value): Value {
  const previous = localZone
  localZone = timezone
  try {
    return read()
  } finally {
    localZone = previous
  }
}

function withOffset(text: string): string {
  if (localZone === undefined || !LOCAL.test(text)) return text
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(localZone).toInstant().toString()
  } catch {
    return text
  }
}

/**
 * An ISO 8601 time in requests (spec 2.1), parsed to a Date. The offset is optional where the workspace is known: the time is
 * then in its time zone (`readTimesIn`).
 */
export const InstantInput = z
  .string({ error: (issue) => (issue.input === undefined ? 'Required.' : INSTANT_FORM) })
  .meta({ format: 'date-time' })
  .transform((text) => toFullForm(withOffset(text)))
  .pipe(z.iso.datetime({ offset: true, error: INSTANT_FORM }))
  .transform((text) => new Date(text))
  .refine(
    (moment) => moment >= FIRST_MOMENT && moment <= LAST_MOMENT,
    'Must be in the years 1 to 9999 (UTC).',
  )

/** A time in a reply: UTC with milliseconds and Z. */
export const Instant = z.iso.datetime().meta({ example: '2026-06-01T09:30:00.000Z' })

/** Any JSON object, for custom fields. Its depth and odd characters are refused before any rule. */
export const JsonObject = z.record(z.string(), z.unknown())

/** Characters that URL parsers drop or rewrite silently, so that two parsers would see two hosts. */
export const REWRITTEN_IN_URLS = /[\s\\\p{Cc}]/u
