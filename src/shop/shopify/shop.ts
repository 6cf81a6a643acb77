/** Shopify's Admin API (docs/guides/shops.md "Formats"). */
import { isObject, objectsIn, shortTextOrNull } from '../../core/values/storable.ts'
import { isPassing, type Line } from '../line.ts'
import type { Shop, ShopAccount, ShopAnswer } from '../port.ts'
import type { Json } from '../read.ts'

const VERSION = '2026-04'
const TOPICS = ['ORDERS_CREATE', 'ORDERS_PAID', 'ORDERS_FULFILLED', 'ORDERS_CANCELLED']
const REASON_MAX = 300

/** Returns the address for calls; `baseUrl` replaces the shops' own addresses if the deployment sets it. */
const addressOf = (account: ShopAccount, baseUrl: string | undefined): string =>
  `${baseUrl ?? account.url}/admin/api/${VERSION}/graphql.json`

const refused = (field: string | null, message: string, permanent = true): ShopAnswer<never> => ({
  kind: 'refused',
  field,
  message,
  permanent,
})

/** Returns GraphQL's error, which has status 200. */
const errorsIn = (body: Json): string | null => {
  const [first] = objectsIn(body.errors)
  return first ? (shortTextOrNull(first.message, REASON_MAX) ?? 'Shopify rejected the request.') : null
}

async function callShop(
  line: Line,
  { account, baseUrl }: { account: ShopAccount; baseUrl: string | undefined },
  query: { query: string; variables?: Json },
): Promise<ShopAnswer<Json>> {
  const response = await line({
    method: 'POST',
    url: addressOf(account, baseUrl),
    headers: { 'x-shopify-access-token': account.secrets.accessToken ?? '' },
    json: query,
  })
  if ('fault' in response)
    return response.fault.reason === 'dns' || response.fault.reason === 'refused_address'
      ? refused('shop', response.fault.message)
      : { kind: 'unknown', reason: response.fault.message }
  const { status, body } = response
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
  return first ? (shortTextOrNull(first.message, REASON_MAX) ?? 'Shopify rejected it.') : null
}

const done: ShopAnswer<true> = { kind: 'done', value: true }

/** Creates the adapter. `baseUrl`: an address for all shops that replaces their own. */
export function createShopify(line: Line, baseUrl: string | undefined): Shop {
  const mutate = async (account: ShopAccount, name: string, call: { query: string; variables: Json }) => {
    const answer = await callShop(line, { account, baseUrl }, call)
    if (answer.kind !== 'done') return answer
    const wrong = userErrorIn(answer.value, name)
    return wrong === null ? done : refused(null, wrong)
  }
  return {
    async describe(account) {
      const answer = await callShop(line, { account, baseUrl }, { query: DESCRIBE })
      if (answer.kind !== 'done') return answer
      const { shop } = answer.value
      const id = isObject(shop) ? shortTextOrNull(shop.myshopifyDomain, 120) : null
      if (id === null || !isObject(shop)) return refused('shop', "Shopify's answer doesn't name the shop.")
      const address = shop.billingAddress
      return {
        kind: 'done',
        value: { id, country: isObject(address) ? shortTextOrNull(address.countryCodeV2, 2) : null },
      }
    },
    async registerWebhooks(account, { address }) {
      const listed = await callShop(
        line,
        { account, baseUrl },
        { query: LIST, variables: { topics: TOPICS } },
      )
      if (listed.kind !== 'done') return listed
      const existing = listed.value.webhookSubscriptions
      const subscribedTopics = new Set(
        objectsIn(isObject(existing) ? existing.nodes : undefined)
          .filter(({ uri }) => uri === address)
          .map(({ topic }) => topic),
      )
      for (const topic of TOPICS.filter((topic) => !subscribedTopics.has(topic))) {
        const call = { query: CREATE, variables: { topic, address } }
        const created = await mutate(account, 'webhookSubscriptionCreate', call)
        if (created.kind !== 'done') return created
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
