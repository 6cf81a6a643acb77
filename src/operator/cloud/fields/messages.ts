/** The field `messages`: messages of customers, and receipts of ours (docs/formats.md sections 8 and 9). */
import { idOrNull, objectsIn } from '../../../core/values/storable.ts'
import { classifyError } from '../../error-classes.ts'
import { readFormAnswer } from '../../message-payload/form-answer.ts'
import type { OperatorError } from '../../port.ts'
import type { Report } from '../../report.ts'
import { isOfGroup, ofGroup } from './groups.ts'
import { impliedNumberState } from './implied-number-state.ts'
import { contentOf, contextOf, readChange, replyOf, typeOf } from './message-changes.ts'
import { readNotice } from './notices.ts'
import { readStatus } from './statuses.ts'
import {
  contactOf,
  type Json,
  readCustomer,
  readWrittenAt,
  unrecognized,
  type ValueSource,
} from './webhook-value.ts'

/** Returns the reports of one value, in its order. */
export function readMessages(value: Json, source: ValueSource): Report[] {
  const messages = objectsIn(value.messages)
  const statuses = objectsIn(value.statuses)
  const reports = [
    ...messages.map((message) => readMessage(message, value, { total: messages.length, source })),
    ...statuses.map((status) => readStatus(status, value, { total: statuses.length, source })),
  ]
  // Errors next to a message belong to it; errors alone are about the number or its account.
  if (reports.length > 0) return reports
  const errors = objectsIn(value.errors).map(classifyError)
  const trouble = errors.flatMap((error) => impliedNumberState(error, value, source) ?? [])
  return [
    ...trouble,
    ...(trouble.length > 0 ? [] : [unrecognized(errors.length > 0 ? 'messages.errors' : 'messages')]),
  ]
}

/** Reads one of the `total` messages of a value. A message without a time gets the time of the report. */
function readMessage(
  message: Json,
  value: Json,
  { total, source }: { total: number; source: ValueSource },
): Report {
  if (isOfGroup(message)) return ofGroup('messages')
  const type = typeOf(message)
  const chanmid = idOrNull(message.id)
  const time = readWrittenAt(message.timestamp) ?? source.at
  if (chanmid === null) return unrecognized('messages.messages')
  if (type === 'system') return readNotice(message, time)
  // The customer opened the chat without writing: no window opens.
  if (type === 'request_welcome') return unrecognized(`messages.${type}`)
  const from = { waId: message.from, userId: message.from_user_id }
  const change = readChange(message, { type, chanmid, at: time, of: from })
  if (change) return change
  const customer = readCustomer(from, contactOf(value, from, total))
  if (!customer) return unrecognized('messages.messages')
  const content = contentOf(message, type)
  return {
    kind: 'inbound',
    ...customer,
    chanmid,
    at: time,
    type,
    content,
    context: contextOf(message),
    replyTo: replyOf(message),
    referred: 'referral' in message,
    formFields: readFormAnswer(type, content),
    errors: errorsOf(message, value, total),
  }
}

// Older versions put the errors next to their message.
function errorsOf(message: Json, value: Json, total: number): OperatorError[] {
  const own = objectsIn(message.errors)
  return (own.length === 0 && total === 1 ? objectsIn(value.errors) : own).map(classifyError)
}
