/** Own headers of an endpoint: the receiver's values are sealed and never returned (DECISIONS.md). Pure. */
import { invalid } from '../../../../core/errors.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import type { HeaderPatch } from '../schema.ts'

export type OwnHeader = { name: string; value: string }

/** Returns the headers of an endpoint; none for null. */
export const openHeaders = (sealer: Sealer, sealed: Buffer | null): OwnHeader[] =>
  sealed === null ? [] : JSON.parse(sealer.open(sealed))

export const sealHeaders = (sealer: Sealer, headers: OwnHeader[]): Buffer | null =>
  headers.length === 0 ? null : sealer.seal(JSON.stringify(headers))

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/**
 * Returns the list after a change: it replaces the earlier list, and a header without a value keeps the
 * earlier value of its name. Throws for a new header without a value.
 */
export function replaceHeaders(before: OwnHeader[], patch: HeaderPatch[]): OwnHeader[] {
  const issues = patch.flatMap(({ name, value }, index) =>
    value === undefined && !before.some((header) => sameName(header.name, name))
      ? [{ path: `headers[${index}].value`, message: 'Must be sent for a new header.' }]
      : [],
  )
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
