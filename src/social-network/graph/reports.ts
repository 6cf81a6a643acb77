import { idOrNull, isObject, objectsIn } from '../../core/storable.ts'
import type { SocialReport } from '../report.ts'
import { readComment, readMention } from './reported-comments.ts'
import { readMessaging } from './reported-messages.ts'
import { networkIdOrNull, unixTimeOrNull } from './values.ts'

/** The account that a webhook is read for; the network may name it by either id. */
export type ReadFor = { networkId: string; scopedId: string | null; username: string }

const unrecognised = (field: string): SocialReport[] => [{ kind: 'unrecognised', field }]

/**
 * What a webhook body says of the account (docs/formats.md section 14), in its order. Any JSON value is accepted, unknown fields
 * are passed over, and nothing throws. `receivedAt` stands for times that the body lacks.
 */
export const readWebhook = (body: unknown, account: ReadFor, receivedAt: Date): SocialReport[] =>
  objectsIn(isObject(body) ? body.entry : undefined).flatMap((entry) => {
    const id = networkIdOrNull(entry.id)
    // One app may serve many accounts.
    if (id !== account.networkId && id !== account.scopedId) return unrecognised('entry of another account')
    const at = unixTimeOrNull(entry.time) ?? receivedAt
    return [
      // Those of chats that another app answers at the moment stand in a list of their own.
      ...[entry.messaging, entry.standby]
        .flatMap(objectsIn)
        .flatMap((one) => readMessaging(one, account, at)),
      // The field and its value stand in the entry itself in one of the documented variants.
      ...[...objectsIn(entry.changes), ...(entry.field === undefined ? [] : [entry])].flatMap((change) =>
        readChange(change, account, at),
      ),
    ]
  })

function readChange(change: Record<string, unknown>, account: ReadFor, at: Date): SocialReport[] {
  const field = idOrNull(change.field) ?? 'unknown'
  const value = isObject(change.value) ? change.value : {}
  switch (field) {
    case 'comments':
    case 'live_comments':
      return readComment(value, account, { at, live: field === 'live_comments' }) ?? unrecognised(field)
    case 'mentions':
      return readMention(value, at) ?? unrecognised(field)
    default:
      // What is said in chats comes as a change too, under several fields.
      return isObject(value.sender) ? readMessaging(value, account, at) : unrecognised(field)
  }
}

/** A body in two: what it says by itself, and the mentions, of which the network has to be asked what they say. */
export function partMentions(body: unknown): { rest: object; mentions: object } {
  const isMention = ({ field }: Record<string, unknown>): boolean => field === 'mentions'
  const entries = objectsIn(isObject(body) ? body.entry : undefined)
  return {
    rest: {
      entry: entries.map(({ field, value, changes, ...entry }) => ({
        ...entry,
        ...(isMention({ field }) ? {} : { field, value }),
        changes: objectsIn(changes).filter((change) => !isMention(change)),
      })),
    },
    mentions: {
      entry: entries.map(({ id, time, changes, field, value }) => ({
        id,
        time,
        changes: [...objectsIn(changes), { field, value }].filter(isMention),
      })),
    },
  }
}

/** How many things a body lists: what one hundred thousand of them would do to the database is not found out. */
export function countReported(body: unknown): number {
  let count = 0
  for (const entry of objectsIn(isObject(body) ? body.entry : undefined)) {
    count++
    for (const list of [entry.messaging, entry.standby, entry.changes])
      for (const one of objectsIn(list)) {
        const said = isObject(one.value) ? one.value : one
        const message = isObject(said.message) ? said.message : {}
        count += 1 + (Array.isArray(message.attachments) ? message.attachments.length : 0)
      }
  }
  return count
}
