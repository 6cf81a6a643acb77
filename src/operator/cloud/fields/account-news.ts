/** The field `account_update`: what can be sent from an account's numbers (docs/formats.md section 10). */
import type { NumberState, Report } from '../../report.ts'
import { idOrNull, isObject, objectsIn, textOrNull } from '../../storable.ts'
import { type Json, readTime, unrecognised, type ValueSource } from './webhook-value.ts'

type Reported = { state: NumberState; reason: string | null; accountId?: string }

export function readAccountUpdate(value: Json, source: ValueSource): Report[] {
  const reported = reportedBy(value, source.at)
  if (!reported) return [unrecognised('account_update')]
  const { state, reason, accountId = source.accountId } = reported
  const news = { state, stateReason: reason, stateCode: null }
  return [{ kind: 'number', number: null, accountId, news, at: source.at }]
}

function reportedBy(value: Json, at: Date): Reported | undefined {
  switch (value.event) {
    case 'ACCOUNT_DELETED':
      return { state: 'disconnected', reason: 'The operator deleted the account.' }
    case 'ACCOUNT_OFFBOARDED':
      return { state: 'disconnected', reason: 'The account was taken off the operator’s API.' }
    case 'PARTNER_REMOVED':
    case 'PARTNER_APP_UNINSTALLED':
      return withAccount(value, { state: 'disconnected', reason: 'The business withdrew our access.' })
    case 'ACCOUNT_RECONNECTED':
      return { state: 'active', reason: null }
    case 'PARTNER_APP_INSTALLED':
      return withAccount(value, { state: 'active', reason: null })
    case 'DISABLED_UPDATE':
      return banOf(isObject(value.ban_info) ? value.ban_info : {})
    case 'ACCOUNT_RESTRICTION':
      return restrictionOf(objectsIn(value.restriction_info), at)
    default:
      return undefined
  }
}

// These come to a partner and name the account that they are about.
function withAccount(value: Json, reported: Reported): Reported | undefined {
  const accountId = isObject(value.waba_info) ? idOrNull(value.waba_info.waba_id) : null
  return accountId === null ? undefined : { ...reported, accountId }
}

function banOf(ban: Json): Reported | undefined {
  if (ban.waba_ban_state === 'DISABLE')
    return { state: 'sending_blocked', reason: 'The operator disabled the account.' }
  if (ban.waba_ban_state === 'REINSTATE') return { state: 'active', reason: null }
  // What is only scheduled stops nothing yet.
  return undefined
}

/** Restrictions of messaging; those that are over and those of other things, such as adding numbers, stop no message. */
function restrictionOf(restrictions: Json[], at: Date): Reported | undefined {
  const names = restrictions.flatMap(({ restriction_type: type, expiration }) => {
    const name = textOrNull(type)
    const ends = readTime(expiration)
    return name?.endsWith('_MESSAGING') && (ends === null || ends > at) ? [name] : []
  })
  if (names.length === 0) return undefined
  return { state: 'sending_blocked', reason: `The operator restricted the account: ${names.join(', ')}.` }
}
