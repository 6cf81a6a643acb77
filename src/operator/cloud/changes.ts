import {
  digitsAsText,
  idOrNull,
  isObject,
  objectsIn,
  storableJson,
  textOrNull,
} from '../../core/values/storable.ts'
import { senderOf, splitBySender } from './by-sender.ts'
import { type Json, readTime, shownDigits } from './fields/webhook-value.ts'
import { splitAddressBook, splitHistory } from './split-large.ts'

/** One change of a webhook body: the input of `readWebhookValue`, and whom the change is about. */
export type WebhookChange = {
  /** The operator's id of the number; '' if the change is about an account or names its number by digits. */
  operatorId: string
  /** The operator's id of the account; '' if the entry names none. */
  accountId: string
  /** The digits of the number as shown in the value; '' if it shows none. */
  displayNumber: string
  field: string
  value: unknown
  /** The sender of its messages, by the operator's name; null if it has no messages. */
  sender: string | null
  /** The operator's time of the entry; null if it has none. */
  at: Date | null
}

/** The fields whose values may be split. */
const splitters = new Map<string, (value: Json) => Json[]>([
  ['messages', splitBySender],
  ['history', splitHistory],
  ['smb_app_state_sync', splitAddressBook],
])

/**
 * Returns the entries of a body. A refusal to share the history comes without them, as its value alone
 * (docs/formats.md section 10).
 */
function entriesOf(body: unknown): Json[] {
  if (!isObject(body)) return []
  if (body.entry === undefined && Array.isArray(body.history))
    return [{ changes: [{ field: 'history', value: body }] }]
  return objectsIn(body.entry)
}

/**
 * Returns every change of every entry, safe to store and split by sender. Accepts any JSON value and never
 * throws.
 */
export const webhookChanges = (body: unknown): WebhookChange[] =>
  entriesOf(body).flatMap((entry) => {
    const accountId = idOrNull(digitsAsText(entry.id)) ?? ''
    const time = readTime(entry.time)
    return objectsIn(entry.changes).flatMap((change) => {
      const value = isObject(change.value) ? change.value : {}
      const metadata = isObject(value.metadata) ? value.metadata : {}
      const field = textOrNull(change.field) ?? 'unknown'
      return (splitters.get(field)?.(value) ?? [value]).map((part) => ({
        operatorId: idOrNull(digitsAsText(metadata.phone_number_id)) ?? '',
        accountId,
        displayNumber: shownDigits(value.display_phone_number) || shownDigits(metadata.display_phone_number),
        field,
        value: storableJson(part),
        sender: field === 'messages' ? senderOf(part) : null,
        at: time,
      }))
    })
  })

/**
 * Counts the items of a body: its changes, and the items in lists of their values, such as messages and
 * contacts.
 */
export function countListed(body: unknown): number {
  let count = 0
  for (const entry of entriesOf(body))
    for (const change of objectsIn(entry.changes)) {
      count++
      for (const list of isObject(change.value) ? Object.values(change.value) : [])
        if (Array.isArray(list)) count += list.length
    }
  return count
}
