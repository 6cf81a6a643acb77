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
const sameExceptStatuses = (first: StatusValue, other: StatusValue): boolean =>
  isDeepStrictEqual({ ...first, statuses: [] }, { ...other, statuses: [] })

/** Returns `next` in the form stored after `before`. Both are plain JSON, without nulls in their statuses. */
export function laterReport(before: Report, { afterMs, ...next }: Report & { afterMs: number }): LaterReport {
  const [first, other] = [before.value, next.value]
  const isContinuation =
    before.field === next.field &&
    isOfOneStatus(first) &&
    isOfOneStatus(other) &&
    sameExceptStatuses(first, other)
  if (!isContinuation) return { afterMs, ...next }
  const [previous] = first.statuses
  const [is] = other.statuses
  const change: Status = {}
  for (const name of new Set([...Object.keys(previous), ...Object.keys(is)]))
    if (!isDeepStrictEqual(previous[name], is[name])) change[name] = is[name] ?? null
  return { afterMs, change }
}

/** Restores the report that `later` represents, after `before`. */
export function readLater(before: Report, later: LaterReport): Report {
  if (!('change' in later)) return { field: later.field, value: later.value }
  const value = before.value as StatusValue
  const status = Object.entries({ ...value.statuses[0], ...later.change }).filter(
    ([, value]) => value !== null,
  )
  return { field: before.field, value: { ...value, statuses: [Object.fromEntries(status)] } }
}
