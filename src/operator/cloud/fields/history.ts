/**
 * The field `history`: the chats of a number that stays in the phone app, from before it was connected
 * (docs/formats.md section 10). It comes in chunks, in any order, each with the progress of the whole.
 */
import { digitsAsText, idOrNull, isObject, objectsIn, textAsNumber } from '../../../core/values/storable.ts'
import { classifyError } from '../../error-classes.ts'
import { PAST_FILE_TYPE } from '../../media-types.ts'
import type { PastStatus, Report } from '../../report.ts'
import { isOfGroup, ofGroup } from './groups.ts'
import { contentOf, contextOf, readChange, replyOf, typeOf } from './message-changes.ts'
import {
  contactOf,
  type Json,
  readCustomer,
  readWrittenAt,
  shownDigits,
  unrecognized,
  type ValueSource,
} from './webhook-value.ts'

/** Returns the messages of a value, then its progress. */
export function readHistory(value: Json, source: ValueSource): Report[] {
  const own = shownDigits(isObject(value.metadata) ? value.metadata.display_phone_number : undefined)
  const chunks = objectsIn(value.history)
  return [
    ...objectsIn(value.messages).map((message) => readFile(message, { value, own, source })),
    ...chunks.flatMap((chunk) => [
      ...objectsIn(chunk.threads).flatMap((thread) =>
        objectsIn(thread.messages).map((message) => readPast(message, { value, thread, own, source })),
      ),
      ...readProgress(chunk, source),
    ]),
  ]
}

const STATUSES = new Map<unknown, PastStatus>([
  ['PENDING', 'sent'],
  ['SENT', 'sent'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'read'],
  ['ERROR', 'failed'],
])

type Thread = { value: Json; thread: Json; own: string; source: ValueSource }

/** Reads one message of a chat. The sender says who wrote it; a receiver is named only by the business. */
function readPast(message: Json, { value, thread, own, source }: Thread): Report {
  if (isOfGroup(message) || isOfGroup(thread)) return ofGroup('history')
  const type = typeOf(message)
  const chanmid = idOrNull(message.id)
  if (chanmid === null) return unrecognized('history.messages')
  const context = isObject(message.history_context) ? message.history_context : {}
  const isOurs =
    context.from_me === true || message.to !== undefined || (own !== '' && shownDigits(message.from) === own)
  const about = isObject(thread.context) ? thread.context : {}
  const other = isOurs
    ? { waId: message.to, userId: message.to_user_id }
    : { waId: message.from, userId: message.from_user_id }
  const people = {
    waId: other.waId ?? about.wa_id ?? digitsAsText(thread.id),
    userId: other.userId ?? about.user_id,
  }
  const time = readWrittenAt(message.timestamp) ?? source.at
  const change = readChange(message, { type, chanmid, at: time, of: people })
  if (change) return change
  const customer = readCustomer(people, contactOf(value, people, 0))
  if (!customer) return unrecognized('history.messages')
  const errors = objectsIn(message.errors).map(classifyError)
  return {
    kind: 'past',
    ...customer,
    username: customer.username ?? null,
    direction: isOurs ? 'outbound' : 'inbound',
    chanmid,
    at: time,
    type,
    content: contentOf(message, type),
    context: contextOf(message),
    replyTo: replyOf(message),
    status: isOurs ? (STATUSES.get(context.status) ?? (errors.length > 0 ? 'failed' : 'sent')) : null,
  }
}

/** Reads the file of a message whose place in its chat is reported separately, before or after it. */
function readFile(message: Json, { value, own, source }: Omit<Thread, 'thread'>): Report {
  if (isOfGroup(message)) return ofGroup('history')
  const type = typeOf(message)
  const chanmid = idOrNull(message.id)
  if (chanmid === null || type === PAST_FILE_TYPE) return unrecognized('history.messages')
  const isOurs = message.to !== undefined || (own !== '' && shownDigits(message.from) === own)
  const people = isOurs
    ? { waId: message.to, userId: message.to_user_id }
    : { waId: message.from, userId: message.from_user_id }
  return {
    kind: 'past_file',
    customer: readCustomer(people, contactOf(value, people, 0)) ?? null,
    direction: isOurs ? 'outbound' : 'inbound',
    chanmid,
    at: readWrittenAt(message.timestamp) ?? source.at,
    type,
    content: contentOf(message, type),
    context: contextOf(message),
    replyTo: replyOf(message),
  }
}

const DONE_PERCENT = 100

/** Returns a whole number from 0 to `max`; null for anything else. */
function within(value: unknown, max: number): number | null {
  const number = textAsNumber(value)
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max
    ? number
    : null
}

const MAX_PHASE = 9

function readProgress(chunk: Json, source: ValueSource): Report[] {
  const [error] = objectsIn(chunk.errors).map(classifyError)
  const metadata = isObject(chunk.metadata) ? chunk.metadata : {}
  const progress = within(metadata.progress, DONE_PERCENT)
  if (!error && progress === null) return []
  return [
    {
      kind: 'history',
      progress,
      phase: within(metadata.phase, MAX_PHASE),
      declined: error ? (error.details ?? error.message) : null,
      at: source.at,
    },
  ]
}
