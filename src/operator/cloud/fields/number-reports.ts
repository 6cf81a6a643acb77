/** The fields about one number, identified by its displayed digits (docs/formats.md section 10). */
import { textOrNull } from '../../../core/values/storable.ts'
import type { NumberNews, Report } from '../../report.ts'
import { type Json, shownDigits, unrecognized, type ValueSource } from './webhook-value.ts'

/** Returns a report about the value's number; none if the value names no number or contains no news. */
function about(field: string, value: Json, source: ValueSource, news: NumberNews): Report[] {
  const number = shownDigits(value.display_phone_number)
  if (number === '' || Object.keys(news).length === 0) return [unrecognized(field)]
  return [{ kind: 'number', number, accountId: source.accountId, news, at: source.at }]
}

const limitOf = (value: Json): NumberNews => {
  const limit = tierOf(value.max_daily_conversations_per_business) ?? tierOf(value.current_limit)
  return limit === undefined ? {} : { messagingLimit: limit }
}

// Flagged means low quality; unflagged means that it is no longer low.
const qualities = new Map<unknown, NumberNews>([
  ['FLAGGED', { quality: 'red' }],
  ['UNFLAGGED', { quality: 'unknown' }],
  ['THROUGHPUT_UPGRADE', { throughput: 1000 }],
])

export const readNumberQuality = (value: Json, source: ValueSource): Report[] =>
  about('phone_number_quality_update', value, source, { ...limitOf(value), ...qualities.get(value.event) })

/** Reads a name that the operator approved; a rejected name changes nothing. */
export function readNumberName(value: Json, source: ValueSource): Report[] {
  const name = textOrNull(value.requested_verified_name)
  const granted = value.decision === 'APPROVED' && name !== null
  return about('phone_number_name_update', value, source, granted ? { displayName: name } : {})
}

/** Reads the business's own username; a reserved one is not in use yet. */
export function readBusinessUsername(value: Json, source: ValueSource): Report[] {
  const username = textOrNull(value.username)
  const news: NumberNews =
    value.status === 'deleted'
      ? { username: null }
      : value.status === 'approved' && username !== null
        ? { username }
        : {}
  return about('business_username_updates', value, source, news)
}

/** Reads how many new customers an account may message in a day. */
export function readCapability(value: Json, source: ValueSource): Report[] {
  const { messagingLimit } = limitOf({
    max_daily_conversations_per_business:
      value.max_daily_conversations_per_business ?? value.max_daily_conversation_per_phone,
  })
  if (messagingLimit === undefined) return [unrecognized('business_capability_update')]
  return [
    {
      kind: 'number',
      number: null,
      accountId: source.accountId,
      news: { messagingLimit },
      at: source.at,
    },
  ]
}

const tiers = new Map<unknown, string>([
  [-1, 'TIER_UNLIMITED'],
  [50, 'TIER_50'],
  [250, 'TIER_250'],
  [1_000, 'TIER_1K'],
  [2_000, 'TIER_2K'],
  [10_000, 'TIER_10K'],
  [100_000, 'TIER_100K'],
])

// The name of a tier, or its number, which may be text.
function tierOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return tiers.get(value)
  return /^TIER_[A-Z0-9_]{1,20}$/.test(value) ? value : tiers.get(value === '' ? undefined : Number(value))
}
