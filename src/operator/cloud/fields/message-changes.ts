/** Reads the parts of a message, from customers and from the business. */
import { digitsAsText, idOrNull, isObject, storableJson } from '../../../core/values/storable.ts'
import { isMediaKind } from '../../media-types.ts'
import { withoutFormToken } from '../../message-payload/form-answer.ts'
import type { MessageChange, MessageContext, Unrecognized } from '../../report.ts'
import { type Json, unrecognized } from './webhook-value.ts'

const KINDS =
  'text image video audio document sticker location contacts interactive button reaction order system edit revoke'.split(
    ' ',
  )

/** Returns the message's type; if it names none, the kind of its payload. */
export const typeOf = (message: Json): string =>
  idOrNull(message.type) ?? KINDS.find((kind) => Object.hasOwn(message, kind)) ?? 'unsupported'

/**
 * Returns the payload of the type, always as an object: a list (shared contacts), a text, or a number stays
 * under its key. A type may have no payload.
 */
export function contentOf(message: Json, type: string): Json {
  const payload = Object.hasOwn(message, type) ? (storableJson(message[type]) ?? {}) : {}
  if (!isObject(payload)) return { [type]: payload }
  if (type === 'interactive') return withoutFormToken(type, payload)
  if (!isMediaKind(type)) return payload
  // The operator's short-lived file address is not part of the customer's message.
  const { url: _, ...file } = payload
  return { ...file, id: digitsAsText(file.id) }
}

/** Returns `context` as received, with the advertisement added; null if there is neither. */
export function contextOf(message: Json): MessageContext | null {
  const { referral } = message
  const context = {
    ...(isObject(message.context) ? message.context : {}),
    ...(isObject(referral) ? { referral } : {}),
  }
  return Object.keys(context).length === 0 ? null : (storableJson(context) as MessageContext)
}

/** Returns the channel's id of the message that this message replies to. */
export const replyOf = (message: Json): string | null =>
  isObject(message.context) ? idOrNull(message.context.id) : null

/** Reads an edit or deletion of an earlier message; undefined for a new message. */
export function readChange(
  message: Json,
  {
    type,
    chanmid,
    at,
    of: customerIds,
  }: { type: string; chanmid: string; at: Date; of: { waId: unknown; userId: unknown } },
): MessageChange | Unrecognized | undefined {
  if (type !== 'edit' && type !== 'revoke') return undefined
  const about = isObject(message[type]) ? message[type] : {}
  const of = idOrNull(about.original_message_id)
  if (of === null) return unrecognized(`messages.${type}`)
  const people = [idOrNull(customerIds.waId), idOrNull(customerIds.userId)].filter((id) => id !== null)
  if (type === 'revoke') return { kind: 'change', chanmid, of, people, content: null, at }
  const edited = isObject(about.message) ? about.message : {}
  const editedType = idOrNull(edited.type)
  if (editedType === null || !Object.hasOwn(edited, editedType)) return unrecognized('messages.edit')
  return { kind: 'change', chanmid, of, people, content: contentOf(edited, editedType), at }
}
