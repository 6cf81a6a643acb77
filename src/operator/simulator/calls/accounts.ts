import type { Calls, SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { selectFields } from '../graph-fields.ts'
import { pageOf } from '../graph-page.ts'
import { numberNode } from '../number-node.ts'

/** The calls about an account: itself, its numbers, and the app that listens to it (docs/formats.md section 7). */
export const accountCalls: Calls = {
  'account GET': getAccount,
  'account GET phone_numbers': listPhoneNumbers,
  'account GET subscribed_apps': listSubscribedApps,
  'account POST subscribed_apps': subscribe,
  'account DELETE subscribed_apps': unsubscribe,
}

async function getAccount({ number, values }: SimulatedCall): Promise<GraphAnswer> {
  const node = {
    id: number.accountId,
    name: 'Sandbox',
    timezone_id: '1',
    currency: 'USD',
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    message_template_namespace: 'sandbox',
  }
  const selected = selectFields(node, values.fields, {
    byDefault: ['id', 'name', 'timezone_id', 'message_template_namespace'],
    type: 'WhatsAppBusinessAccount',
  })
  return selected.ok ? { status: 200, body: selected.node } : selected.answer
}

const phoneNumberFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'id',
]

async function listPhoneNumbers({ store, number, values, url }: SimulatedCall): Promise<GraphAnswer> {
  const nodes: Record<string, unknown>[] = []
  const at = await store.now(number)
  for (const one of await store.listNumbers(number.accountId)) {
    const selected = selectFields(numberNode(one, at), values.fields, {
      byDefault: phoneNumberFields,
      type: 'WhatsAppBusinessPhoneNumber',
    })
    if (!selected.ok) return selected.answer
    nodes.push(selected.node)
  }
  const paged = pageOf(nodes, values, {
    keyOf: (node) => String(node.id),
    url: `${url}/v24.0/${number.accountId}/phone_numbers`,
  })
  return paged.ok ? { status: 200, body: paged.page } : paged.answer
}

const app = {
  id: '670843887433847',
  name: 'Parley',
  link: 'https://www.facebook.com/games/?app_id=670843887433847',
}
const subscriptionId = (accountId: string): string => `subscription-${accountId}`

async function listSubscribedApps({ store, number }: SimulatedCall): Promise<GraphAnswer> {
  const kept = await store.find(subscriptionId(number.accountId))
  const data = kept ? [{ whatsapp_business_api_data: app, ...kept.value }] : []
  return { status: 200, body: { data } }
}

async function subscribe({ store, number, values, director }: SimulatedCall): Promise<GraphAnswer> {
  const { override_callback_uri: address, verify_token: token } = values
  const refusal = await director.subscribe(address, token)
  if (refusal) return refusal
  await store.keep(number, {
    kind: 'subscription',
    id: subscriptionId(number.accountId),
    value: address === undefined ? {} : { override_callback_uri: address },
    bytes: null,
    expiresAt: null,
  })
  return { status: 200, body: { success: true } }
}

async function unsubscribe({ store, number }: SimulatedCall): Promise<GraphAnswer> {
  const id = subscriptionId(number.accountId)
  await store.drop(number, 'subscription', id)
  return { status: 200, body: { success: true } }
}
