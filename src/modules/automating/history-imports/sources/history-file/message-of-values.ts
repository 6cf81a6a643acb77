/** Turns the values of a row into a message, or says why it is left out. */
import { createHash } from 'node:crypto'
import { readNumber } from '../../../../../core/values/phone.ts'
import { storableText } from '../../../../../core/values/storable.ts'
import { PAST_STATUSES } from '../../../../messaging/messages/past/past-message.ts'
import { type DayOrder, dateIn } from '../../../imports/operations/cells/date-cell.ts'
import { unguarded } from '../../../imports/operations/cells/strip-guards.ts'
import type { ReadItem } from '../read-in-batches.ts'
import type { MessageValues } from './message-fields.ts'

export type ValueRules = {
  countryCode: string
  timeZone: string
  dateOrder: DayOrder | null
  thisYear: number
  /** Member ids by email address in lower case. */
  members: ReadonlyMap<string, string>
  before: Date | undefined
}

export const MAX_TEXT = 65_536
const MAX_ID = 200

const INBOUND = new Set(['inbound', 'in', 'incoming', 'received', 'customer', 'contact', 'user', 'from'])
const OUTBOUND = new Set(['outbound', 'out', 'outgoing', 'sent', 'agent', 'business', 'bot', 'me', 'to'])

function directionOf(text: string | undefined): 'inbound' | 'outbound' | undefined {
  const word = text?.trim().toLowerCase() ?? ''
  return INBOUND.has(word) ? 'inbound' : OUTBOUND.has(word) ? 'outbound' : undefined
}

const EPOCH = /^\d{10}(?:\d{3})?$/
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/

/** Returns the time in a cell, or the cause why there is none. */
export function timeIn(text: string, { timeZone, dateOrder, thisYear }: ValueRules): Date | string {
  const cell = unguarded(text).trim()
  if (EPOCH.test(cell)) return new Date(Number(cell) * (cell.length === 10 ? 1_000 : 1))
  if (ZONED.test(cell)) {
    const date = new Date(cell.replace(' ', 'T'))
    return Number.isNaN(date.getTime()) ? 'no_date' : date
  }
  const reading = dateIn(cell, { order: dateOrder, timezone: timeZone, thisYear })
  if (reading === undefined) return 'no_date'
  if ('either' in reading) return 'ambiguous_date'
  if ('at' in reading) return reading.at
  return new Date(Temporal.PlainDate.from(reading.day).toZonedDateTime(timeZone).epochMilliseconds)
}

/** Returns the record of a row. Rows without an id of their own are recognized by their values. */
export function messageOfValues(values: MessageValues, place: string, rules: ValueRules): ReadItem {
  const leave = (cause: string): ReadItem => ({ leftOut: { kind: 'message', place, cause } })
  const phone = values.phone && readNumber(unguarded(values.phone).trim(), rules).fresh
  if (!phone) return leave('no_phone')
  const direction = directionOf(values.direction)
  if (!direction) return leave('no_direction')
  if (!values.createdAt) return leave('no_date')
  const createdAt = timeIn(values.createdAt, rules)
  if (typeof createdAt === 'string') return leave(createdAt)
  if (createdAt.getTime() < 0) return leave('no_date')
  if (rules.before && createdAt >= rules.before) return leave('not_before')
  const body = storableText(values.text ?? '').trim()
  if (body === '') return leave('no_text')
  if (body.length > MAX_TEXT) return leave('text_too_long')
  const ids = [values.externalId, values.chanmid].map((id) => id?.trim())
  if (ids.some((id) => id !== undefined && id.length > MAX_ID)) return leave('id_too_long')
  const [ownId, chanmid] = ids
  const status = PAST_STATUSES.find((name) => name === values.status?.trim().toLowerCase())
  return {
    record: {
      kind: 'message',
      place,
      externalId: ownId ?? hashOf([phone, createdAt.toISOString(), direction, body]),
      contact: { phone, ...(values.name ? { name: storableText(values.name) } : {}) },
      direction,
      createdAt,
      content: { body },
      status,
      chanmid: chanmid ? storableText(chanmid) : null,
      sentBy: rules.members.get(values.agentEmail?.trim().toLowerCase() ?? '') ?? null,
    },
  }
}

/** Returns an id made of the parts. */
export const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
