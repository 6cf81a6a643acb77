import { idOrNull, isObject, objectsIn } from '../../core/values/storable.ts'
import type { SocialReport } from '../report.ts'
import { readComment, readMention } from './reported-comments.ts'
import { readMessaging } from './reported-messages.ts'
import { networkIdOrNull, unixTimeOrNull } from './values.ts'

/** The account that a webhook is read for; the network may name it by either id. */
export type ReadFor = { networkId: string; scopedId: string | null; username: string }

const unrecognized = (field: string): SocialReport[] => [{ kind: 'unrecognized', field }]

/**
 * Reads a webhook body's reports about the account (docs/formats.md section 14), in order. Accepts any JSON
 * value, ignores unknown fields, and never throws. `receivedAt` replaces missing times.
 */
export const readWebhook = (body: unknown, account: ReadFor, receivedAt: Date): SocialReport[] =>
  objectsIn(isObject(body) ? body.entry : undefined).flatMap((entry) => {
    const id = networkIdOrNull(entry.id)
    // One app may serve many accounts.
    if (id !== account.networkId && id !== account.scopedId) return unrecognized('entry of another account')
    const time = unixTimeOrNull(entry.time) ?? receivedAt
    return [
      // Messages of chats that another app currently answers are in a separate list.
      ...[entry.messaging, entry.standby]
        .flatMap(objectsIn)
        .flatMap((element) => readMessaging(element, account, time)),
      // In one documented variant the field and its value are in the entry itself.
      ...[...objectsIn(entry.changes), ...(entry.field === undefined ? [] : [entry])].flatMap((change) =>
        readChange(change, account, time),
      ),
    ]
  })

function readChange(change: Record<string, unknown>, account: ReadFor, time: Date): SocialReport[] {
  const field = idOrNull(change.field) ?? 'unknown'
  const value = isObject(change.value) ? change.value : {}
  switch (field) {
    case 'comments':
    case 'live_comments':
      return readComment(value, account, { at: time, live: field === 'live_comments' }) ?? unrecognized(field)
    case 'mentions':
      return readMention(value, time) ?? unrecognized(field)
    default:
      // Chat messages also arrive as changes, under several fields.
      return isObject(value.sender) ? readMessaging(value, account, time) : unrecognized(field)
  }
}

/** Splits a body in two: its own content, and its mentions, whose text must be requested from the network. */
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

/** Counts the items of a body, to reject a body with too many for the database. */
export function countReported(body: unknown): number {
  let count = 0
  for (const entry of objectsIn(isObject(body) ? body.entry : undefined)) {
    count++
    for (const list of [entry.messaging, entry.standby, entry.changes])
      for (const element of objectsIn(list)) {
        const value = isObject(element.value) ? element.value : element
        const message = isObject(value.message) ? value.message : {}
        count += 1 + (Array.isArray(message.attachments) ? message.attachments.length : 0)
      }
  }
  return count
}
