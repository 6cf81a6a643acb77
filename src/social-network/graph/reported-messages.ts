import { idOrNull, isObject, objectsIn, storableJson, textOrNull } from '../../core/values/storable.ts'
import type { ReportedItem, SocialReport } from '../report.ts'
import type { ReadFor } from './reports.ts'
import { countOrNull, networkIdOrNull, unixTimeOrNull, wordsOrNull } from './values.ts'

type Raw = Record<string, unknown>

const unrecognized = (field: string): SocialReport[] => [
  { kind: 'unrecognized', field: `messaging.${field}` },
]

/** Reads an element of `messaging[]`, which has one kind of report. */
export function readMessaging(element: Raw, account: ReadFor, entryAt: Date): SocialReport[] {
  const [sender, recipient] = [element.sender, element.recipient].map((party) =>
    isObject(party) ? networkIdOrNull(party.id) : null,
  )
  const time = unixTimeOrNull(element.timestamp) ?? entryAt
  const isEcho = isObject(element.message) && element.message.is_echo === true
  const isOwn = isEcho || sender === account.networkId || (sender !== null && sender === account.scopedId)
  const customerId = isOwn ? recipient : sender
  if (!customerId) return unrecognized('unknown')
  const sent = { customerId, at: time, isOwn }
  if (isObject(element.message)) return readMessage(element.message, sent)
  if (isObject(element.postback)) return readPostback(element.postback, sent)
  if (isObject(element.message_edit)) return readEdit(element.message_edit)
  if (isObject(element.reaction)) return isOwn ? [] : readReaction(element.reaction)
  if (isObject(element.read)) return isOwn ? [] : readSeen(element.read, time)
  return unrecognized(Object.keys(element).find((key) => !ENVELOPE_FIELDS.has(key)) ?? 'unknown')
}

const ENVELOPE_FIELDS = new Set(['sender', 'recipient', 'timestamp'])

type Envelope = { customerId: string; at: Date; isOwn: boolean }

function readMessage(message: Raw, { customerId, at, isOwn }: Envelope): SocialReport[] {
  const mid = networkIdOrNull(message.mid)
  if (mid === null) return unrecognized('message')
  if (message.is_deleted === true) return [{ kind: 'deleted', mid }]
  // The account wrote to itself.
  if (message.is_self === true) return []
  const replied = isObject(message.reply_to) ? message.reply_to : {}
  return [
    {
      kind: isOwn ? 'echo' : 'message',
      customerId,
      mid,
      items: itemsOf(message),
      replyTo: networkIdOrNull(replied.mid),
      at,
    },
  ]
}

/** Returns one item for each photo, with the text in the first; a message without either is one item too. */
function itemsOf(message: Raw): ReportedItem[] {
  const content = contentOf(message)
  const attachments = objectsIn(message.attachments)
  if (attachments.length === 0) {
    const type = message.is_unsupported === true || content.text === undefined ? 'unsupported' : 'text'
    return [{ type, content }]
  }
  return attachments.map((attachment, i) => ({
    type: idOrNull(attachment.type) ?? 'unsupported',
    content: {
      ...(isObject(attachment.payload) ? (storableJson(attachment.payload) as Raw) : {}),
      ...(i === 0 ? content : {}),
    },
  }))
}

/**
 * Returns the content besides the files: the text, the tapped reply, the story replied to, and the
 * advertisement.
 */
function contentOf(message: Raw): Raw {
  const text = wordsOrNull(message.text)
  const replied = isObject(message.reply_to) ? message.reply_to : {}
  const quickReply = isObject(message.quick_reply) ? message.quick_reply : undefined
  return {
    ...(text === null ? {} : { text }),
    ...(quickReply ? { quickReply: { payload: textOrNull(quickReply.payload) } } : {}),
    ...(isObject(replied.story) ? { story: storableJson(replied.story) } : {}),
    ...(isObject(message.referral) ? { referral: storableJson(message.referral) } : {}),
  }
}

function readPostback(postback: Raw, { customerId, at, isOwn }: Envelope): SocialReport[] {
  const mid = networkIdOrNull(postback.mid)
  if (mid === null || isOwn) return unrecognized('postback')
  const content = {
    title: textOrNull(postback.title),
    payload: textOrNull(postback.payload),
    ...(isObject(postback.referral) ? { referral: storableJson(postback.referral) } : {}),
  }
  return [{ kind: 'message', customerId, mid, items: [{ type: 'postback', content }], replyTo: null, at }]
}

function readEdit(edit: Raw): SocialReport[] {
  const mid = networkIdOrNull(edit.mid)
  const text = wordsOrNull(edit.text)
  if (mid === null || text === null) return unrecognized('message_edit')
  return [{ kind: 'edited', mid, text, edition: countOrNull(edit.num_edit) ?? 1 }]
}

function readReaction(reaction: Raw): SocialReport[] {
  const mid = networkIdOrNull(reaction.mid)
  if (mid === null) return unrecognized('reaction')
  const shown = textOrNull(reaction.emoji) ?? textOrNull(reaction.reaction)
  return [{ kind: 'reaction', mid, reaction: reaction.action === 'unreact' ? null : shown }]
}

function readSeen(read: Raw, time: Date): SocialReport[] {
  const mid = networkIdOrNull(read.mid)
  return mid === null ? unrecognized('read') : [{ kind: 'seen', mid, at: time }]
}
