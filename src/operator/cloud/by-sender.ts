/** Splits values of the field `messages` by sender (docs/formats.md section 8). */
import { digitsAsText, idOrNull, objectsIn } from '../../core/values/storable.ts'
import type { Json } from './fields/webhook-value.ts'

// The user id stays when a customer's number is no longer shown.
const writerOf = (message: Json): string | null =>
  idOrNull(message.from_user_id) ?? idOrNull(digitsAsText(message.from))

/** Returns the sender of the messages in a value with one sender; null if it has no messages. */
export function senderOf(value: Json): string | null {
  const [message] = objectsIn(value.messages)
  return message ? writerOf(message) : null
}

/**
 * Splits a value where the sender of its messages changes, so that the order is kept, and separates its
 * statuses. Most values have one sender and stay whole.
 */
export function splitBySender(value: Json): Json[] {
  const turns: Json[][] = []
  let last: string | null | undefined
  for (const message of objectsIn(value.messages)) {
    const writer = writerOf(message)
    if (writer === last) turns.at(-1)!.push(message)
    else turns.push([message])
    last = writer
  }
  if (turns.length < 2) return [value]
  const { messages: _, contacts, statuses, errors: __, ...rest } = value
  const contactsById = new Map<unknown, Json[]>()
  for (const contact of objectsIn(contacts))
    for (const id of new Set([digitsAsText(contact.wa_id), contact.user_id]))
      contactsById.set(id, [...(contactsById.get(id) ?? []), contact])
  const parts: Json[] = turns.map((messages) => {
    const ids = new Set(messages.flatMap(({ from, from_user_id }) => [digitsAsText(from), from_user_id]))
    ids.delete(undefined)
    return {
      ...rest,
      contacts: [...new Set([...ids].flatMap((id) => contactsById.get(id) ?? []))],
      messages,
    }
  })
  return objectsIn(statuses).length > 0 ? [...parts, { ...rest, contacts, statuses }] : parts
}
