/** What messages are made of, whoever wrote them. */
import { digitsAsText, idOrNull, isObject, storableJson } from '../../../core/storable.ts'
import { isMediaKind } from '../../media-types.ts'
import type { MessageChange, MessageContext, Unrecognised } from '../../report.ts'
import { withoutFormToken } from './form-answer.ts'
import { type Json, unrecognised } from './webhook-value.ts'

const KINDS =
  'text image video audio document sticker location contacts interactive button reaction order system edit revoke'.split(
    ' ',
  )

/** Its type; of one that names none, the kind of payload that it has. */
export const typeOf = (message: Json): string =>
  idOrNull(message.type) ?? KINDS.find((kind) => Object.hasOwn(message, kind)) ?? 'unsupported'

/**
 * The payload of its type. Every content is an object: shared contacts are a list and keep their key, and so does a payload
 * that is a text or a number. A type may come without payload.
 */
export function contentOf(message: Json, type: string): Json {
  const payload = Object.hasOwn(message, type) ? (storableJson(message[type]) ?? {}) : {}
  if (!isObject(payload)) return { [type]: payload }
  if (type === 'interactive') return withoutFormToken(type, payload)
  if (!isMediaKind(type)) return payload
  // The operator's short-lived address of the file is no part of what the customer said.
  const { url: _, ...file } = payload
  return { ...file, id: digitsAsText(file.id) }
}

/** What surrounds the payload: `context` as it came, with the advertisement beside it; null when nothing does. */
export function contextOf(message: Json): MessageContext | null {
  const { referral } = message
  const context = {
    ...(isObject(message.context) ? message.context : {}),
    ...(isObject(referral) ? { referral } : {}),
  }
  return Object.keys(context).length === 0 ? null : (storableJson(context) as MessageContext)
}

/** The channel's id of the message that this one replies to. */
export const replyOf = (message: Json): string | null =>
  isObject(message.context) ? idOrNull(message.context.id) : null

/** An edit or a deletion of an earlier message; undefined for a message of its own. */
export function readChange(
  message: Json,
  {
    type,
    chanmid,
    at,
    of: who,
  }: { type: string; chanmid: string; at: Date; of: { waId: unknown; userId: unknown } },
): MessageChange | Unrecognised | undefined {
  if (type !== 'edit' && type !== 'revoke') return undefined
  const about = isObject(message[type]) ? message[type] : {}
  const of = idOrNull(about.original_message_id)
  if (of === null) return unrecognised(`messages.${type}`)
  const people = [idOrNull(who.waId), idOrNull(who.userId)].filter((id) => id !== null)
  if (type === 'revoke') return { kind: 'change', chanmid, of, people, content: null, at }
  const edited = isObject(about.message) ? about.message : {}
  const editedType = idOrNull(edited.type)
  if (editedType === null || !Object.hasOwn(edited, editedType)) return unrecognised('messages.edit')
  return { kind: 'change', chanmid, of, people, content: contentOf(edited, editedType), at }
}
