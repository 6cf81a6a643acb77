/** Shopify's Admin API (docs/guides/shops.md "Formats"). */
import { isObject, objectsIn } from '../../core/storable.ts'
import { isPassing, type Line } from '../line.ts'
import type { Shop, ShopAccount, ShopAnswer } from '../port.ts'
import { type Json, textIn } from '../read.ts'

const VERSION = '2026-04'
const TOPICS = ['ORDERS_CREATE', 'ORDERS_PAID', 'ORDERS_FULFILLED', 'ORDERS_CANCELLED']
const REASON_MAX = 300

/** Returns the address for calls; `at` replaces the shops' own addresses if the deployment sets it. */
const addressOf = (account: ShopAccount, at: string | undefined): string =>
  `${at ?? account.url}/admin/api/${VERSION}/graphql.json`

const refused = (field: string | null, message: string, permanent = true): ShopAnswer<never> => ({
  kind: 'refused',
  field,
  message,
  permanent,
})

/** Returns GraphQL's error, which has status 200. */
const errorsIn = (body: Json): string | null => {
  const [first] = objectsIn(body.errors)
  return first ? (textIn(first.message, REASON_MAX) ?? 'Shopify rejected the request.') : null
}

async function ask(
  line: Line,
  { account, at }: { account: ShopAccount; at: string | undefined },
  query: { query: string; variables?: Json },
): Promise<ShopAnswer<Json>> {
  const heard = await line({
    method: 'POST',
    url: addressOf(account, at),
    headers: { 'x-shopify-access-token': account.secrets.accessToken ?? '' },
    json: query,
  })
  if ('fault' in heard)
    return heard.fault.reason === 'dns' || heard.fault.reason === 'refused_address'
      ? refused('shop', heard.fault.message)
      : { kind: 'unknown', reason: heard.fault.message }
  const { status, body } = heard
  if (status === 401 || status === 403)
    return refused(
      'accessToken',
      `Shopify answered with status ${status}. The access token is wrong or doesn't have the permission.`,
    )
  if (status === 404) return refused('shop', 'Shopify has no shop at this address.')
  if (isPassing(status)) return { kind: 'unknown', reason: `Shopify answered with status ${status}.` }
  if (status !== 200 || !isObject(body)) return refused(null, `Shopify answered with status ${status}.`)
  const wrong = errorsIn(body)
  if (wrong !== null) return refused(/access|denied/i.test(wrong) ? 'accessToken' : null, wrong)
  return isObject(body.data)
    ? { kind: 'done', value: body.data }
    : refused(null, 'Shopify sent an empty answer.')
}

const DESCRIBE = '{ shop { myshopifyDomain billingAddress { countryCodeV2 } } }'
const LIST = `query ($topics: [WebhookSubscriptionTopic!]) {
  webhookSubscriptions(first: 100, topics: $topics) { nodes { topic uri } } }`
const CREATE = `mutation ($topic: WebhookSubscriptionTopic!, $address: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $address, format: JSON }) {
    userErrors { message } } }`
const TAG = `mutation ($id: ID!, $tags: [String!]!) { tagsAdd(id: $id, tags: $tags) { userErrors { message } } }`

/** Returns a mutation's error about the caller's input. */
function userErrorIn(data: Json, mutation: string): string | null {
  const outcome = data[mutation]
  const [first] = objectsIn(isObject(outcome) ? outcome.userErrors : undefined)
  return first ? (textIn(first.message, REASON_MAX) ?? 'Shopify rejected it.') : null
}

const done: ShopAnswer<true> = { kind: 'done', value: true }

/** Creates the adapter. `at`: an address for all shops that replaces their own. */
export function createShopify(line: Line, at: string | undefined): Shop {
  const mutate = async (account: ShopAccount, name: string, call: { query: string; variables: Json }) => {
    const answer = await ask(line, { account, at }, call)
    if (answer.kind !== 'done') return answer
    const wrong = userErrorIn(answer.value, name)
    return wrong === null ? done : refused(null, wrong)
  }
  return {
    async describe(account) {
      const answer = await ask(line, { account, at }, { query: DESCRIBE })
      if (answer.kind !== 'done') return answer
      const { shop } = answer.value
      const id = isObject(shop) ? textIn(shop.myshopifyDomain, 120) : null
      if (id === null || !isObject(shop)) return refused('shop', "Shopify's answer doesn't name the shop.")
      const address = shop.billingAddress
      return {
        kind: 'done',
        value: { id, country: isObject(address) ? textIn(address.countryCodeV2, 2) : null },
      }
    },
    async registerWebhooks(account, { address }) {
      const listed = await ask(line, { account, at }, { query: LIST, variables: { topics: TOPICS } })
      if (listed.kind !== 'done') return listed
      const known = listed.value.webhookSubscriptions
      const there = new Set(
        objectsIn(isObject(known) ? known.nodes : undefined)
          .filter(({ uri }) => uri === address)
          .map(({ topic }) => topic),
      )
      for (const topic of TOPICS.filter((one) => !there.has(one))) {
        const call = { query: CREATE, variables: { topic, address } }
        const made = await mutate(account, 'webhookSubscriptionCreate', call)
        if (made.kind !== 'done') return made
      }
      return done
    },
    markOrder: (account, { externalId, confirmed }) =>
      mutate(account, 'tagsAdd', {
        query: TAG,
        variables: {
          id: `gid://shopify/Order/${externalId}`,
          tags: [confirmed ? 'COD confirmed' : 'COD disowned'],
        },
      }),
  }
}
