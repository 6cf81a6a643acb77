/**
 * Compresses the simulator's later reports of a message. Its receipts repeat most fields, so only the changed
 * fields of a later status are stored.
 */
import { isDeepStrictEqual } from 'node:util'
import type { LaterReport, Report } from '../queries/updates.ts'

type Status = Record<string, unknown>
type StatusValue = Record<string, unknown> & { statuses: [Status] }

const isOfOneStatus = (value: unknown): value is StatusValue => {
  const statuses = (value as { statuses?: unknown } | null)?.statuses
  return Array.isArray(statuses) && statuses.length === 1
}

/** Returns whether two values are equal apart from their statuses. */
const sameBeside = (one: StatusValue, other: StatusValue): boolean =>
  isDeepStrictEqual({ ...one, statuses: [] }, { ...other, statuses: [] })

/** Returns `next` in the form stored after `before`. Both are plain JSON, without nulls in their statuses. */
export function laterReport(before: Report, { afterMs, ...next }: Report & { afterMs: number }): LaterReport {
  const [one, other] = [before.value, next.value]
  const goesOn =
    before.field === next.field && isOfOneStatus(one) && isOfOneStatus(other) && sameBeside(one, other)
  if (!goesOn) return { afterMs, ...next }
  const [was] = one.statuses
  const [is] = other.statuses
  const change: Status = {}
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
    if (!isDeepStrictEqual(was[name], is[name])) change[name] = is[name] ?? null
  return { afterMs, change }
}

/** Restores the report that `later` represents, after `before`. */
export function readLater(before: Report, later: LaterReport): Report {
  if (!('change' in later)) return { field: later.field, value: later.value }
  const value = before.value as StatusValue
  const status = Object.entries({ ...value.statuses[0], ...later.change }).filter(([, one]) => one !== null)
  return { field: before.field, value: { ...value, statuses: [Object.fromEntries(status)] } }
}
