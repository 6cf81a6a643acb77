/** The field `calls` (docs/formats.md section 10). */
import { idOrNull, objectsIn } from '../../../core/values/storable.ts'
import type { CallReport, Report } from '../../report.ts'
import { isOfGroup, ofGroup } from './groups.ts'
import {
  contactOf,
  type Json,
  readCustomer,
  readTime,
  unrecognized,
  type ValueSource,
} from './webhook-value.ts'

/** Reads starts and ends of customers' calls. Ignores calls by the business. */
export function readCalls(value: Json, source: ValueSource): Report[] {
  const calls = objectsIn(value.calls)
  const reports = calls.map((call) => readCall(call, value, { total: calls.length, source }))
  return reports.length > 0 ? reports : [unrecognized('statuses' in value ? 'calls.statuses' : 'calls')]
}

function readCall(
  call: Json,
  value: Json,
  { total, source }: { total: number; source: ValueSource },
): Report {
  if (isOfGroup(call)) return ofGroup('calls')
  const callId = idOrNull(call.id)
  const time = readTime(call.timestamp) ?? source.at
  if (call.direction !== 'USER_INITIATED') return unrecognized('calls.business')
  const of = { waId: call.from, userId: call.from_user_id }
  const customer = readCustomer(of, contactOf(value, of, total))
  if (callId === null || !customer) return unrecognized('calls')
  const about = { kind: 'call' as const, ...customer, callId, at: time }
  if (call.event === 'connect') return { ...about, ended: null }
  if (call.event === 'terminate') return { ...about, ended: readEnd(call, time) }
  return unrecognized('calls')
}

// An answered call has a start and a duration (docs/formats.md section 10, "missed call rule").
const readEnd = (call: Json, time: Date): CallReport['ended'] => ({
  answered:
    call.status !== 'FAILED' &&
    (readTime(call.start_time) !== null || (typeof call.duration === 'number' && call.duration > 0)),
  at: time,
})
