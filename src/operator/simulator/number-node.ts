import { RESTRICTION_TYPES, restrictionsAt, statusAt } from './restrictions.ts'
import { type NumberState, type SimulatedNumber, soundNumber } from './store.ts'

const blocking = new Set(['BANNED', 'DISCONNECTED', 'PENDING'])

/** What can be sent: everything, a part of it, or nothing. */
function ableAt(state: NumberState, at: Date): 'AVAILABLE' | 'LIMITED' | 'BLOCKED' {
  const restricted = new Set(restrictionsAt(state, at).map(({ type }) => type)).size
  if (blocking.has(state.status) || restricted === RESTRICTION_TYPES.length) return 'BLOCKED'
  return restricted > 0 || state.status === 'RATE_LIMITED' ? 'LIMITED' : 'AVAILABLE'
}

/** A number with every field that the operator shows of it at a moment (docs/formats.md section 7). */
export function numberNode(number: SimulatedNumber, at: Date): Record<string, unknown> {
  const state = number.state ?? soundNumber
  const status = statusAt(state, at)
  const able = ableAt(state, at)
  return {
    id: number.operatorId,
    display_phone_number: `+${number.displayNumber}`,
    verified_name: state.verifiedName,
    quality_rating: state.quality,
    quality_score: { score: state.quality },
    status,
    name_status: 'APPROVED',
    code_verification_status: 'VERIFIED',
    throughput: { level: state.throughput },
    platform_type: 'CLOUD_API',
    account_mode: 'SANDBOX',
    messaging_limit_tier: state.messagingLimit,
    whatsapp_business_manager_messaging_limit: state.messagingLimit,
    is_official_business_account: false,
    is_pin_enabled: true,
    username: state.username,
    health_status: {
      can_send_message: able,
      entities: [
        {
          entity_type: 'PHONE_NUMBER',
          id: number.operatorId,
          can_send_message: able,
          ...errorsOf(status),
        },
        { entity_type: 'WABA', id: number.accountId, can_send_message: 'AVAILABLE' },
      ],
    },
  }
}

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
