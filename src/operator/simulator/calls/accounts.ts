import { accountNode } from '../account-node.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { nodeAnswer } from '../graph-fields.ts'
import { listAnswer } from '../graph-page.ts'
import { filterNumbers } from '../number-filters.ts'
import { numberNode } from '../number-node.ts'

/**
 * The calls about an account: its own data, its numbers, and the app subscribed to it (docs/formats.md
 * section 7).
 */
export const accountCalls: Calls = {
  'account GET': getAccount,
  'account GET phone_numbers': listPhoneNumbers,
  'account GET subscribed_apps': listSubscribedApps,
  'account POST subscribed_apps': subscribe,
  'account DELETE subscribed_apps': unsubscribe,
}

async function getAccount({ number, values }: SimulatedCall): Promise<GraphAnswer> {
  return nodeAnswer('WhatsAppBusinessAccount', accountNode(number), values.fields)
}

async function listPhoneNumbers(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, number, values, director } = call
  const numbers = await store.listNumbers(number.accountId)
  const now = await store.now(number)
  const nodes = numbers.map((row) => numberNode(row, now, director.callbackUrl()))
  const filtered = filterNumbers(nodes, values)
  return filtered.ok ? listAnswer(call, 'WhatsAppBusinessPhoneNumber', filtered.value) : filtered.answer
}

const app = {
  id: '670843887433847',
  name: 'Parley',
  link: 'https://www.facebook.com/games/?app_id=670843887433847',
}
const subscriptionId = (accountId: string): string => `subscription-${accountId}`

async function listSubscribedApps({ store, number }: SimulatedCall): Promise<GraphAnswer> {
  const subscription = await store.find(subscriptionId(number.accountId))
  const data = subscription ? [{ whatsapp_business_api_data: app, ...subscription.value }] : []
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
