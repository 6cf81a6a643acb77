import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { RESTRICTION_TYPES, restrictionsAt, statusAt } from './restrictions.ts'
import { type NumberState, numberInGoodHealth, type SimulatedNumber } from './store.ts'

const blocking = new Set(['BANNED', 'DISCONNECTED', 'PENDING'])

/** Returns whether the number can send all messages, some, or none. */
function canSendAt(state: NumberState, now: Date): 'AVAILABLE' | 'LIMITED' | 'BLOCKED' {
  const restricted = new Set(restrictionsAt(state, now).map(({ type }) => type)).size
  if (blocking.has(state.status) || restricted === RESTRICTION_TYPES.length) return 'BLOCKED'
  return restricted > 0 || state.status === 'RATE_LIMITED' ? 'LIMITED' : 'AVAILABLE'
}

/** Returns the country and dial code of a number; an unassigned number counts as American. */
export function countryOf({ displayNumber }: SimulatedNumber): { country: string; dialCode: string } {
  const parsed = parsePhoneNumberFromString(`+${displayNumber}`)
  return { country: parsed?.country ?? 'US', dialCode: parsed?.countryCallingCode ?? '1' }
}

/**
 * Returns a number at a time, with every field of the operator's that the simulator supports (docs/formats.md
 * section 7). `callbackUrl` is its webhook address.
 */
export function numberNode(
  number: SimulatedNumber,
  now: Date,
  callbackUrl: string | null,
): Record<string, unknown> {
  const state = number.state ?? numberInGoodHealth
  const { country, dialCode } = countryOf(number)
  const status = statusAt(state, now)
  const canSend = canSendAt(state, now)
  return {
    id: number.operatorId,
    display_phone_number: `+${number.displayNumber}`,
    verified_name: state.verifiedName,
    quality_rating: state.quality,
    quality_score: { score: state.quality },
    status,
    country_code: country,
    country_dial_code: dialCode,
    name_status: 'APPROVED',
    new_name_status: 'NONE',
    certificate: Buffer.from(`certificate ${number.operatorId} ${state.verifiedName}`).toString('base64'),
    unified_cert_status: 'APPROVED',
    code_verification_status: 'VERIFIED',
    last_onboarded_time: number.onboardedAt && graphTime(number.onboardedAt),
    throughput: { level: state.throughput },
    platform_type: state.status === 'PENDING' ? 'NOT_APPLICABLE' : 'CLOUD_API',
    host_platform: 'CLOUD_API',
    account_mode: 'SANDBOX',
    search_visibility: 'HIDDEN',
    eligibility_for_api_business_global_search: 'NON_ELIGIBLE_UNDEFINED_COUNTRY',
    webhook_configuration: callbackUrl === null ? undefined : { application: callbackUrl },
    conversational_automation: { id: number.operatorId, prompts: [], commands: [] },
    is_preverified_number: false,
    is_on_biz_app: number.inPhoneApp !== false,
    messaging_limit_tier: state.messagingLimit,
    whatsapp_business_manager_messaging_limit: state.messagingLimit,
    is_official_business_account: false,
    is_pin_enabled: true,
    username: state.username,
    health_status: {
      can_send_message: canSend,
      entities: [
        {
          entity_type: 'PHONE_NUMBER',
          id: number.operatorId,
          can_send_message: canSend,
          ...errorsOf(status),
        },
        { entity_type: 'WABA', id: number.accountId, can_send_message: 'AVAILABLE' },
      ],
    },
  }
}

/** Formats a time as in nodes. */
const graphTime = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, '+0000')

function errorsOf(status: string): object {
  const error = errorByStatus[status]
  return error === undefined ? {} : { errors: [error] }
}

const errorByStatus: Record<
  string,
  { error_code: number; error_description: string; possible_solution: string }
> = {
  BANNED: {
    error_code: 131031,
    error_description: 'The account has been locked.',
    possible_solution: 'Appeal the decision.',
  },
  RESTRICTED: {
    error_code: 368,
    error_description: 'The number is restricted for policy violations.',
    possible_solution: 'Wait until the restriction ends.',
  },
  DISCONNECTED: {
    error_code: 133010,
    error_description: 'The phone number is not registered.',
    possible_solution: 'Register the number.',
  },
  PENDING: {
    error_code: 133010,
    error_description: 'The phone number is not registered.',
    possible_solution: 'Register the number.',
  },
}
