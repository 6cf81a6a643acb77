/** WooCommerce's REST API (docs/guides/shops.md "Formats"). */
import { isObject, objectsIn, shortTextOrNull, textOrNull } from '../../core/values/storable.ts'
import { isPassing, type Line, type ShopCall } from '../line.ts'
import type { Shop, ShopAccount, ShopAnswer } from '../port.ts'

const API = '/wp-json/wc/v3'
const TOPICS = ['order.created', 'order.updated']
const WEBHOOK_NAME = 'Parley'
/** The maximum size of one page of its lists. */
const PAGE = 100

const refused = (field: string | null, message: string): ShopAnswer<never> => ({
  kind: 'refused',
  field,
  message,
  permanent: true,
})

/** Returns the wrong setting: an unknown key has one error code, a wrong secret another. */
const keyField = (body: unknown): string => {
  const message = isObject(body) ? (textOrNull(body.message) ?? '') : ''
  return /secret/i.test(message) || /signature/i.test(message) ? 'consumerSecret' : 'consumerKey'
}

async function callShop(
  line: Line,
  { url, secrets }: ShopAccount,
  { path, ...call }: Pick<ShopCall, 'method' | 'json'> & { path: string },
): Promise<ShopAnswer<unknown>> {
  const key = `${secrets.consumerKey ?? ''}:${secrets.consumerSecret ?? ''}`
  const response = await line({
    ...call,
    url: `${url}${API}${path}`,
    headers: { authorization: `Basic ${Buffer.from(key).toString('base64')}` },
  })
  if ('fault' in response)
    return response.fault.reason === 'dns' || response.fault.reason === 'refused_address'
      ? refused('url', response.fault.message)
      : { kind: 'unknown', reason: response.fault.message }
  const { status, body } = response
  if (status === 401 || status === 403)
    return refused(
      keyField(body),
      `The shop answered with status ${status}. The key is wrong or doesn't have the permission.`,
    )
  if (status === 404) return refused('url', 'There is no WooCommerce shop at this address.')
  if (isPassing(status)) return { kind: 'unknown', reason: `The shop answered with status ${status}.` }
  if (status < 200 || status > 299 || body === undefined)
    return refused(
      'url',
      `The shop answered with status ${status}, but not like WooCommerce. Check the address.`,
    )
  return { kind: 'done', value: body }
}

const done: ShopAnswer<true> = { kind: 'done', value: true }

/** Returns host and path of a shop, because several shops may share a host. */
const wooShopId = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}`
}

const noteOf = (confirmed: boolean): string =>
  confirmed
    ? 'Cash on delivery: the customer confirmed this order.'
    : "Cash on delivery: the customer says they didn't order this."

export const createWooCommerce = (line: Line): Shop => ({
  async describe(account) {
    const path = '/settings/general/woocommerce_default_country'
    const answer = await callShop(line, account, { method: 'GET', path })
    if (answer.kind !== 'done') return answer
    // A country, with a state after a colon.
    const place = isObject(answer.value) ? shortTextOrNull(answer.value.value, 20) : null
    if (place === null) return refused('url', 'There is no WooCommerce shop at this address.')
    return {
      kind: 'done',
      value: {
        id: wooShopId(account.url),
        country: /^[A-Z]{2}(?![A-Z])/.exec(place)?.[0] ?? null,
      },
    }
  },
  async registerWebhooks(account, { address, secret }) {
    const listed = await callShop(line, account, {
      method: 'GET',
      path: `/webhooks?per_page=${PAGE}&status=active`,
    })
    if (listed.kind !== 'done') return listed
    const subscribedTopics = new Set(
      objectsIn(listed.value)
        .filter((hook) => hook.delivery_url === address)
        .map(({ topic }) => topic),
    )
    for (const topic of TOPICS.filter((topic) => !subscribedTopics.has(topic))) {
      const json = { name: WEBHOOK_NAME, topic, delivery_url: address, secret, status: 'active' }
      const created = await callShop(line, account, { method: 'POST', path: '/webhooks', json })
      if (created.kind !== 'done') return created
    }
    return done
  },
  async markOrder(account, { externalId, confirmed }) {
    const path = `/orders/${encodeURIComponent(externalId)}/notes`
    const note = noteOf(confirmed)
    // WooCommerce has no tags, and packers read the notes. An existing note was written by an earlier
    // attempt.
    const listed = await callShop(line, account, { method: 'GET', path: `${path}?type=internal` })
    if (listed.kind !== 'done') return listed
    if (objectsIn(listed.value).some((existingNote) => existingNote.note === note)) return done
    const written = await callShop(line, account, {
      method: 'POST',
      path,
      json: { note, customer_note: false },
    })
    return written.kind === 'done' ? done : written
  },
})
