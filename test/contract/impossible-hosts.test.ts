/**
 * A host name that DNS can't represent is 400 wherever an address is registered (docs/clarifications.md
 * "Webhooks").
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { IMPOSSIBLE_HOSTS } from '../support/hostile-addresses.ts'

let parley: TestParley
let shop: TestWorkspace
let webhook: string
let automation: string
const calling = (url: string) => ({
  name: 'Out',
  trigger: { event: 'lead.created' },
  actions: [{ type: 'call_webhook', url }],
})
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8' } })
  shop = await parley.workspace()
  const address = 'https://127.0.0.1:9/hooks'
  webhook = (await shop.post('/webhooks', { url: address })).body.webhook.id
  automation = (await shop.post('/automations', calling(address))).body.automation.id
})
afterAll(() => parley?.close())

const PLACES: Record<
  string,
  (url: string) => Promise<{ status: number; body: { error: string }; text: string }>
> = {
  'POST /webhooks': (url) => shop.post('/webhooks', { url }),
  'PATCH /webhooks/{id}': (url) => shop.patch(`/webhooks/${webhook}`, { url }),
  'POST /automations': (url) => shop.post('/automations', calling(url)),
  'PATCH /automations/{id}': (url) =>
    shop.patch(`/automations/${automation}`, { actions: calling(url).actions }),
  'POST /automations/test': (url) => shop.post('/automations/test', { automation: calling(url) }),
  'an assistant': (url) =>
    shop.call('PUT', '/integrations/ai', {
      settings: { url, model: 'small', apiKey: 'key-of-the-assistant' },
    }),
  'a WooCommerce shop': (url) =>
    shop.call('PUT', '/integrations/woocommerce', {
      settings: { url, consumerKey: 'ck_0123456789abcdef', consumerSecret: 'cs_0123456789abcdef' },
    }),
}

describe.each(Object.keys(PLACES))('%s', (place) => {
  test.each(IMPOSSIBLE_HOSTS)('https://%s is 400, and the error says why', async (host) => {
    const answer = await PLACES[place]!(`https://${host}/hooks`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error).toBe('invalid')
    expect(answer.text).toMatch(/valid host name|https address|complete http or https/)
  })
})
