/**
 * What the simulator reports of a message after the report before it. A message's receipts repeat nearly all of one another, so
 * that what is stored of a later one is what its status has anew.
 */
import { isDeepStrictEqual } from 'node:util'
import type { LaterReport, Report } from '../queries/updates.ts'

type Status = Record<string, unknown>
type StatusValue = Record<string, unknown> & { statuses: [Status] }

const isOfOneStatus = (value: unknown): value is StatusValue => {
  const statuses = (value as { statuses?: unknown } | null)?.statuses
  return Array.isArray(statuses) && statuses.length === 1
}

/** Whether two values have the same beside their statuses. */
const sameBeside = (one: StatusValue, other: StatusValue): boolean =>
  isDeepStrictEqual({ ...one, statuses: [] }, { ...other, statuses: [] })

/** `next`, to be stored after `before`. Both are plain JSON, without nulls in their statuses. */
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

/** The report that `later` stands for, after `before`. */
export function readLater(before: Report, later: LaterReport): Report {
  if (!('change' in later)) return { field: later.field, value: later.value }
  const value = before.value as StatusValue
  const status = Object.entries({ ...value.statuses[0], ...later.change }).filter(([, one]) => one !== null)
  return { field: before.field, value: { ...value, statuses: [Object.fromEntries(status)] } }
}
