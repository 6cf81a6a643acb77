import { openHours } from '../../../core/values/open-hours.ts'
import type { PushSettings } from './schema.ts'

/** Returns whether the member wants no notifications at this time. The end of a range is not quiet. */
export function isQuiet(quiet: PushSettings['quiet'], now: Date): boolean {
  if (!quiet) return false
  const at = now.getTime()
  const { stretches } = openHours({ ...quiet, overrides: [] }, now, new Date(at + 1))
  return stretches.some(({ from, to }) => from <= at && at < to)
}
