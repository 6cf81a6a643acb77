import { digitsAsText, idOrNull, isObject, objectsIn, storableJson, textOrNull } from '../../core/storable.ts'
import { senderOf, splitBySender } from './by-sender.ts'
import { readTime, shownDigits } from './fields/webhook-value.ts'

/** One change of a webhook body: what `readWebhookValue` takes, and whom it concerns. */
export type WebhookChange = {
  /** The operator's id of the number; '' for what concerns an account or names its number by its digits. */
  operatorId: string
  /** The operator's id of the account; '' when the entry names none. */
  accountId: string
  /** The digits of the number as the value shows them; '' when it shows none. */
  displayNumber: string
  field: string
  value: unknown
  /** Who wrote the messages in it, as the operator calls them; null when it holds none. */
  sender: string | null
  /** When the operator made the entry, as far as it says so. */
  at: Date | null
}

/**
 * Every change of every entry, fit to be stored; messages of several people come apart. Any JSON value is accepted;
 * nothing throws.
 */
export const webhookChanges = (body: unknown): WebhookChange[] =>
  objectsIn(isObject(body) ? body.entry : undefined).flatMap((entry) => {
    const accountId = idOrNull(digitsAsText(entry.id)) ?? ''
    const at = readTime(entry.time)
    return objectsIn(entry.changes).flatMap((change) => {
      const value = isObject(change.value) ? change.value : {}
      const metadata = isObject(value.metadata) ? value.metadata : {}
      const field = textOrNull(change.field) ?? 'unknown'
      return (field === 'messages' ? splitBySender(value) : [value]).map((part) => ({
        operatorId: idOrNull(digitsAsText(metadata.phone_number_id)) ?? '',
        accountId,
        displayNumber: shownDigits(value.display_phone_number) || shownDigits(metadata.display_phone_number),
        field,
        value: storableJson(part),
        sender: field === 'messages' ? senderOf(part) : null,
        at,
      }))
    })
  })

/** How many things a body lists: its changes, and whatever stands in lists of their values, such as messages and contacts. */
export function countListed(body: unknown): number {
  let count = 0
  for (const entry of objectsIn(isObject(body) ? body.entry : undefined))
    for (const change of objectsIn(entry.changes)) {
      count++
      for (const list of isObject(change.value) ? Object.values(change.value) : [])
        if (Array.isArray(list)) count += list.length
    }
  return count
}
