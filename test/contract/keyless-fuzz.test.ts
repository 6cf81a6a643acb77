/**
 * Routes without a key, with the same hostile bodies as the API: the capture link, and signed reports of
 * outside services.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signWebhook } from '../../src/operator/webhook-signature.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'
import { madeQuotation } from '../support/sales.ts'
import { seedOf } from '../support/seed.ts'
import { deliveriesApplied, newOrder, orderEvents, ownShop } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { brokenWire, corrupted, hostileText } from './fuzz/hostile.ts'

const RUNS = (Number(process.env.FUZZ_RUNS) || 10) * 20
const ACCEPTED_OR_REFUSED = [200, 303, 400, 403, 404, 405, 413, 415, 429]

const seed = seedOf('keyless fuzz')
let parley: TestParley
let shop: TestWorkspace
let number: ConnectedNumber
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true })
  number = await connectNumber(parley, shop)
})
afterAll(() => parley.close())

test('the capture link', async () => {
  const enquiry = { phone: '+919812345678', name: 'Asha', note: 'Blue?', attributes: { size: 'M' } }
  const text = fc.oneof(hostileText, corrupted(enquiry))
  const wire = fc.oneof(
    text.map((content) => ({ body: Buffer.from(content), headers: { 'content-type': 'application/json' } })),
    brokenWire(JSON.stringify(enquiry)),
    fc
      .tuple(text, fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'))
      .map(([content, type]) => ({
        body: Buffer.from(
          type.startsWith('multi')
            ? `--b\r\ncontent-disposition: form-data; name="phone"\r\n\r\n${content}\r\n--b--`
            : `phone=${content}&name=${content}`,
        ),
        headers: { 'content-type': type },
      })),
  )
  await fc.assert(
    fc.asyncProperty(wire, async ({ body, headers }) => {
      const answer = await parley.anonymous.post(`/api/leads/capture/${shop.captureToken}`, body, { headers })
      expect(answer.status, answer.text).toBeOneOf(ACCEPTED_OR_REFUSED)
    }),
    // Its bucket has thirty tokens.
    { seed, numRuns: 28, endOnFailure: true },
  )
})

test('the page of a quotation accepts forms, and nothing that is not an answer', async () => {
  await shop.set({ modules: ['invoicing'] })
  const { id, url } = await madeQuotation(shop, { issue: true })
  const path = parley.url + new URL(url).pathname
  const text = fc.oneof(hostileText, fc.constantFrom('accept', 'decline', '1', '2', '-1', '1e0'))
  const form = fc.record({ answer: hostileText, version: text, reason: text }).map((fields) => ({
    body: Buffer.from(
      Object.entries(fields)
        .map(([name, value]) => `${name}=${value}`)
        .join('&'),
    ),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(form, brokenWire('answer=accept&version=2')), async ({ body, headers }) => {
      const answer = await parley.anonymous.post(path, body, { headers })
      expect(answer.status, answer.text).toBeOneOf([400, 409, 413, 415, 429])
    }),
    // Its bucket has sixty tokens.
    { seed, numRuns: 50, endOnFailure: true },
  )
  expect((await shop.get(`/quotations/${id}`)).body.quotation.status).toBe('issued')
})

test("the operator's callback accepts any signed body, and continues to work", async () => {
  const change = {
    field: 'messages',
    value: {
      metadata: { phone_number_id: number.operatorId, display_phone_number: number.displayNumber },
      contacts: [{ profile: { name: 'Asha' }, wa_id: '919812345678' }],
      messages: [
        {
          from: '919812345678',
          id: 'wamid.fuzz',
          timestamp: '1760000000',
          type: 'text',
          text: { body: 'Hi' },
        },
      ],
    },
  }
  const body = { object: 'whatsapp_business_account', entry: [{ id: number.accountId, changes: [change] }] }
  await fc.assert(
    fc.asyncProperty(fc.oneof(corrupted(body), hostileText), async (text) => {
      const answer = await parley.anonymous.post(`/api/operator/${shop.workspaceId}`, text, {
        headers: { 'x-hub-signature-256': signWebhook(Buffer.from(text), number.appSecret) },
      })
      expect(answer.status, answer.text).toBeOneOf([200, 400])
    }),
    { seed, numRuns: RUNS, endOnFailure: true },
  )
  // A valid message after all of them still arrives.
  const messages = [
    {
      from: '919800000001',
      id: 'wamid.proper',
      timestamp: '1760000000',
      type: 'text',
      text: { body: 'Still there?' },
    },
  ]
  await number.post({
    object: body.object,
    entry: [{ id: number.accountId, changes: [{ ...change, value: { ...change.value, messages } }] }],
  })
  await until(
    async () => (await shop.get('/contacts?phone=%2B919800000001')).body.contacts.length === 1,
    'the valid message has arrived',
  )
  expect((await fetch(`${parley.url}/readyz`)).status).toBe(200)
})

test('the address of a shop accepts any signed body, and continues to work', async () => {
  const sellerShop = await parley.workspace()
  const own = await ownShop(parley, sellerShop)
  await fc.assert(
    fc.asyncProperty(fc.oneof(corrupted(newOrder()), hostileText), async (text) => {
      const answer = await own.post(text, own.sign(text))
      expect(answer.status, answer.text).toBeOneOf([200, 400])
    }),
    { seed, numRuns: RUNS, endOnFailure: true },
  )
  const order = newOrder({ reference: 'proper' })
  expect((await own.report(order)).status).toBe(200)
  await deliveriesApplied(parley, sellerShop.workspaceId)
  expect((await orderEvents(parley, sellerShop.workspaceId)).at(-1)).toMatchObject({ reference: 'proper' })
  const [failed] = await parley.system((tx) =>
    tx.sql('select last_error from shop_deliveries where workspace_id = $1 and failed_at is not null', [
      sellerShop.workspaceId,
    ]),
  )
  expect(failed).toBeUndefined()
})

test('the addresses of OAuth refuse what is no app, and no token', async () => {
  const field = fc.oneof(hostileText, fc.constantFrom('authorization_code', 'refresh_token', 'pc_', 'pr_x'))
  const form = fc
    .dictionary(fc.constantFrom('grant_type', 'code', 'client_id', 'code_verifier', 'refresh_token'), field)
    .map((fields) => ({
      body: Buffer.from(
        Object.entries(fields)
          .map(([name, value]) => `${name}=${value}`)
          .join('&'),
      ),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }))
  const app = { client_name: 'Helper', redirect_uris: ['https://assistant.example/callback'] }
  const document = corrupted(app).map((content) => ({
    body: Buffer.from(content),
    headers: { 'content-type': 'application/json' },
  }))
  const call = fc.oneof(
    fc.tuple(fc.constant('token'), fc.oneof(form, brokenWire('grant_type=refresh_token&client_id=x'))),
    fc.tuple(fc.constant('register'), fc.oneof(document, brokenWire(JSON.stringify(app)))),
  )
  await fc.assert(
    fc.asyncProperty(call, async ([name, { body, headers }]) => {
      const { status, text } = await parley.anonymous.post(`${parley.url}/oauth/${name}`, body, { headers })
      // A document that is still that of an app is registered.
      expect(status, text).toBeOneOf(name === 'register' ? [201, 400, 413, 415, 429] : [400, 413, 415, 429])
    }),
    { seed, numRuns: 50, endOnFailure: true },
  )
})
