import { countryOf } from './number-node.ts'
import { numberInGoodHealth, type SimulatedNumber } from './store.ts'

/**
 * Returns a number's account with every field of the operator's that the simulator supports (docs/formats.md
 * section 7).
 */
export function accountNode(number: SimulatedNumber): Record<string, unknown> {
  const { accountId, onboardedAt, state = numberInGoodHealth } = number
  const business = { id: `7${accountId}`, name: 'Sandbox' }
  const { country } = countryOf(number)
  return {
    id: accountId,
    name: 'Sandbox',
    timezone_id: '1',
    currency: 'USD',
    country,
    primary_business_location: country,
    creation_time: onboardedAt && Math.floor(onboardedAt.getTime() / 1000),
    status: 'ACTIVE',
    ownership_type: 'SELF_OWNED',
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    message_template_namespace: 'sandbox',
    marketing_messages_lite_api_status: 'NOT_STARTED',
    marketing_messages_onboarding_status: 'NOT_STARTED',
    is_enabled_for_insights: false,
    is_shared_with_partners: false,
    owner_business: business,
    owner_business_info: business,
    whatsapp_business_manager_messaging_limit: state.messagingLimit,
    health_status: {
      can_send_message: 'AVAILABLE',
      entities: [
        { entity_type: 'WABA', id: accountId, can_send_message: 'AVAILABLE' },
        { entity_type: 'BUSINESS', id: business.id, can_send_message: 'AVAILABLE' },
      ],
    },
  }
}
