/** The field `account_update`: which messages an account's numbers can send (docs/formats.md section 10). */
import { NO_END } from '../../../core/clock.ts'
import { idOrNull, isObject, objectsIn, textOrNull } from '../../../core/values/storable.ts'
import type { NumberNews, NumberState, Report } from '../../report.ts'
import { type Json, readTime, unrecognized, type ValueSource } from './webhook-value.ts'

type AccountNews = { state: NumberState; reason: string | null; accountId?: string }

export function readAccountUpdate(value: Json, source: ValueSource): Report[] {
  const about = { kind: 'number', number: null, at: source.at } as const
  if (value.event === 'ACCOUNT_RESTRICTION') {
    const news = restrictionsOf(objectsIn(value.restriction_info), source.at)
    return news ? [{ ...about, accountId: source.accountId, news }] : [unrecognized('account_update')]
  }
  const reported = reportedBy(value)
  if (!reported) return [unrecognized('account_update')]
  const { state, reason, accountId = source.accountId } = reported
  return [{ ...about, accountId, news: { state, stateReason: reason, stateCode: null } }]
}

function reportedBy(value: Json): AccountNews | undefined {
  switch (value.event) {
    case 'ACCOUNT_DELETED':
      return { state: 'disconnected', reason: 'The operator deleted the account.' }
    case 'ACCOUNT_OFFBOARDED':
      return {
        state: 'disconnected',
        reason:
          'The phone app was moved to another device or registered again, so the operator disconnected the account. It reconnects when the app is set up.',
      }
    case 'PARTNER_REMOVED':
      return withAccount(value, { state: 'disconnected', reason: removalOf(value) })
    case 'PARTNER_APP_UNINSTALLED':
      return withAccount(value, { state: 'disconnected', reason: "The business removed Parley's access." })
    case 'ACCOUNT_RECONNECTED':
      return { state: 'active', reason: null }
    case 'PARTNER_APP_INSTALLED':
      return withAccount(value, { state: 'active', reason: null })
    case 'DISABLED_UPDATE':
      return banOf(isObject(value.ban_info) ? value.ban_info : {})
    default:
      return undefined
  }
}

/** Why a number that stays in the phone app was disconnected, by the operator's reason. */
const REMOVALS = new Map<unknown, string>([
  [
    'PRIMARY_INACTIVITY',
    'The phone app was not opened for too long. Open it, then connect the number again.',
  ],
  ['COMPANION_INACTIVITY', 'The connection was not used for too long. Connect the number again.'],
  ['BUSINESS_DOWNGRADE', 'The business left the plan that allows the phone app and Parley on one number.'],
])

function removalOf(value: Json): string {
  const info = isObject(value.disconnection_info) ? value.disconnection_info : {}
  return REMOVALS.get(info.reason) ?? "The business removed Parley's access."
}

// A partner receives these; they name the account that they are about.
function withAccount(value: Json, reported: AccountNews): AccountNews | undefined {
  const accountId = isObject(value.waba_info) ? idOrNull(value.waba_info.waba_id) : null
  return accountId === null ? undefined : { ...reported, accountId }
}

function banOf(ban: Json): AccountNews | undefined {
  if (ban.waba_ban_state === 'DISABLE')
    return { state: 'number_banned', reason: 'The operator disabled the account.' }
  if (ban.waba_ban_state === 'REINSTATE') return { state: 'active', reason: null }
  // A scheduled restriction blocks no messages yet.
  return undefined
}

const BUSINESS_INITIATED = 'RESTRICTED_BIZ_INITIATED_MESSAGING'
const CUSTOMER_INITIATED = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING'

/**
 * Returns the restrictions of messaging, each with its end. One type blocks messages that start a
 * conversation, another blocks replies, and an unknown type blocks both. Ignores ended restrictions and those
 * of other features, such as adding numbers.
 */
function restrictionsOf(restrictions: Json[], time: Date): NumberNews | undefined {
  const news: NumberNews = {}
  for (const { restriction_type: type, expiration } of restrictions) {
    const name = textOrNull(type)
    const until = readTime(expiration) ?? NO_END
    if (!name?.endsWith('_MESSAGING') || until <= time) continue
    if (name !== CUSTOMER_INITIATED)
      news.businessInitiatedBlockedUntil = latest(news.businessInitiatedBlockedUntil, until)
    if (name !== BUSINESS_INITIATED)
      news.customerInitiatedBlockedUntil = latest(news.customerInitiatedBlockedUntil, until)
  }
  return Object.keys(news).length > 0 ? news : undefined
}

const latest = (current: Date | undefined, until: Date): Date =>
  current && current > until ? current : until
