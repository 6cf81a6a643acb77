/**
 * Headers that a workspace adds to requests to its own receivers. Their values are sealed, and never returned
 * (src/modules/platform/webhooks/DECISIONS.md).
 */
import { z } from 'zod'
import { type Issue, invalid } from '../errors.ts'
import type { Sealer } from '../sealing.ts'

/** The maximum of own headers of a receiver. */
export const HEADERS_MAX = 10
const HEADER_NAME_LENGTH_MAX = 100
const HEADER_VALUE_LENGTH_MAX = 2_000
/** Headers that Parley or the connection sets, and names that begin like the headers of signatures. */
const RESERVED_HEADERS = new Set(
  'accept-encoding connection content-encoding content-length content-type cookie cookie2 date expect host http2-settings keep-alive origin referer set-cookie set-cookie2 te trailer transfer-encoding upgrade user-agent via __proto__'.split(
    ' ',
  ),
)
const RESERVED_STARTS = ['x-webhook-', 'webhook-', 'proxy-', 'sec-']
const isReserved = (name: string): boolean =>
  RESERVED_HEADERS.has(name.toLowerCase()) ||
  RESERVED_STARTS.some((start) => name.toLowerCase().startsWith(start))

export const HeaderName = z
  .string()
  .max(HEADER_NAME_LENGTH_MAX, `Must have at most ${HEADER_NAME_LENGTH_MAX} characters.`)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Must be the name of an HTTP header: letters, digits, and hyphens.')
  .refine((name) => !isReserved(name), 'Must not be a header that Parley or the connection sets.')
  .meta({ description: 'Name of the header.', example: 'Authorization' })
export const HeaderValue = z
  .string()
  .max(HEADER_VALUE_LENGTH_MAX, `Must have at most ${HEADER_VALUE_LENGTH_MAX} characters.`)
  .regex(
    /^[!-~]([ -~]*[!-~])?$/,
    'Must have only printable ASCII characters, no line breaks, and no spaces around it.',
  )
const hasDistinctNames = (headers: { name: string }[]): boolean =>
  new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length
export const headerList = <Header extends z.ZodType<{ name: string }>>(header: Header) =>
  z
    .array(header)
    .max(HEADERS_MAX, `Must have at most ${HEADERS_MAX} headers.`)
    .refine(hasDistinctNames, 'Must have each name once.')

export type OwnHeader = { name: string; value: string }
/** A header in a change; without a value, the stored value stays. */
export type HeaderPatch = { name: string; value?: string | undefined }

/** Returns the headers of an endpoint; none for null. */
export const openHeaders = (sealer: Sealer, sealed: Buffer | null): OwnHeader[] =>
  sealed === null ? [] : JSON.parse(sealer.open(sealed))

export const sealHeaders = (sealer: Sealer, headers: OwnHeader[]): Buffer | null =>
  headers.length === 0 ? null : sealer.seal(JSON.stringify(headers))

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** Returns the issues of headers without a value that have no stored value. `path` is that of the list. */
export const findMissingValues = (before: OwnHeader[], patch: HeaderPatch[], path: string): Issue[] =>
  patch.flatMap(({ name, value }, index) =>
    value === undefined && !before.some((header) => sameName(header.name, name))
      ? [{ path: `${path}[${index}].value`, message: 'Must be sent for a new header.' }]
      : [],
  )

/**
 * Returns the list after a change: it replaces the earlier list, and a header without a value keeps the
 * earlier value of its name. Throws for a new header without a value.
 */
export function replaceHeaders(before: OwnHeader[], patch: HeaderPatch[]): OwnHeader[] {
  const issues = findMissingValues(before, patch, 'headers')
  if (issues.length > 0) throw invalid(issues)
  return patch.map(({ name, value }) => ({
    name,
    value: value ?? before.find((header) => sameName(header.name, name))!.value,
  }))
}

const MOVED =
  'Must be sent with every value: the new address is on another host, and Parley keeps values only for their host.'

/**
 * Refuses a move to another host with values that the request does not name. A caller could otherwise read
 * stored values by moving the endpoint to its own receiver.
 */
export function requireValuesFor(
  before: OwnHeader[],
  patch: HeaderPatch[] | undefined,
  { from, to }: { from: string; to: string },
): void {
  if (before.length === 0 || new URL(from).origin === new URL(to).origin) return
  if (patch === undefined) throw invalid([{ path: 'headers', message: MOVED }])
  const issues = patch.flatMap(({ value }, index) =>
    value === undefined ? [{ path: `headers[${index}].value`, message: MOVED }] : [],
  )
  if (issues.length > 0) throw invalid(issues)
}
