import type { IncomingHttpHeaders } from 'node:http'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../clock.ts'
import { isObject, objectsIn } from './storable.ts'

/**
 * Returns the seconds that the operator or the network asks to wait (docs/formats.md section 4), at most a day; null if it
 * names none. The longer of the two headers counts.
 */
export function retryAfterSeconds(headers: IncomingHttpHeaders): number | null {
  const seconds = Math.max(fromRetryAfter(headers), fromUsage(headers))
  return seconds > 0 ? Math.min(Math.ceil(seconds), DAY_MS / SECOND_MS) : null
}

// Seconds, or a date, which is compared with the answer's own date.
function fromRetryAfter(headers: IncomingHttpHeaders): number {
  const header = headers['retry-after']
  if (header === undefined) return 0
  if (/^\d+$/.test(header)) return Number(header)
  const seconds = (Date.parse(header) - Date.parse(headers.date ?? '')) / SECOND_MS
  return Number.isFinite(seconds) ? seconds : 0
}

// {"<account id>":[{"estimated_time_to_regain_access": minutes, …}]}
function fromUsage(headers: IncomingHttpHeaders): number {
  const header = headers['x-business-use-case-usage']
  if (typeof header !== 'string') return 0
  const minutes = usagesIn(header)
    .map((usage) => Number(usage.estimated_time_to_regain_access))
    .filter(Number.isFinite)
  return (Math.max(0, ...minutes) * MINUTE_MS) / SECOND_MS
}

function usagesIn(header: string): Record<string, unknown>[] {
  try {
    const usage: unknown = JSON.parse(header)
    return isObject(usage) ? Object.values(usage).flatMap(objectsIn) : []
  } catch {
    return []
  }
}
