/** The sentences of a trace. */
import type { Source } from '../../../../core/source.ts'
import type { AgainReason, LateReason } from '../../../messaging/messages/trace-schema.ts'

const SOURCES: Record<Source['kind'], string> = {
  member: 'The teammate',
  api_key: 'The API key',
  automation: 'The automation',
  bot: 'The bot',
  auto_reply: 'The automatic reply',
  campaign: 'The campaign',
  booking: 'A booking',
  payment: 'A payment request',
  invoice: 'An invoice',
  order: 'An order',
  review: 'A review request',
  rating: 'A rating request',
  phone_app: 'A person in the phone app',
  customer: 'The customer',
}

/** Returns the source as the subject of a sentence. */
export const subjectOf = (source: Source): string =>
  source.name === null ? SOURCES[source.kind] : `${SOURCES[source.kind]} "${source.name}"`

export const LATE: Record<LateReason, string> = {
  order: 'An earlier message of this chat went first.',
  recipient_pace: 'The operator limits the number of messages to one recipient.',
  pace: 'The number sends only as many messages per second as the operator allows.',
  campaign: 'Other messages went before the messages of the campaign.',
  worker:
    'No process of Parley was free to send from this number: another process held it, or none was running.',
  backing_off: 'The number paused after errors of the operator.',
  restricted: 'The operator restricts these messages from the number.',
}

export const AGAIN: Record<AgainReason, string> = {
  message: 'The operator had a temporary fault.',
  pair: 'The operator limits the number of messages to this recipient.',
  throttle: "The operator limits the number's messages.",
  quality: 'The operator limits the number because of its quality.',
  unreachable: "The operator couldn't be reached.",
  disconnected: "The operator rejected the number's connection. The message waits until it is repaired.",
  campaign_paused: 'The operator denied a permission, so the campaign paused.',
}

export const SKIPPED: Record<string, string> = {
  opted_out: 'The customer opted out after Parley accepted the message.',
  blocked: 'The customer was blocked after Parley accepted the message.',
  cancelled: 'Its campaign or payment request was canceled.',
  expired: 'Its payment request expired before the message could be sent.',
  paid: 'Its payment request was paid before the message could be sent.',
  window_closed: 'The 24-hour window closed while the message waited.',
  number_removed: 'The number was disconnected while the message waited.',
  restored: 'It waited when the backup was made, so it may have been sent before.',
  duplicate: 'Two contacts of the campaign were merged. The customer gets the message under the other.',
}

/** Returns a duration as people read it. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
