/** Tests of the list of shop deliveries and their results (DECISIONS.md). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { planOf } from '../../../../test/support/plans.ts'
import { deliveriesApplied, newOrder, type OwnShop, ownShop } from '../../../../test/support/shops.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS, systemClock } from '../../../core/clock.ts'
import { listShownDeliveries } from './queries/deliveries.ts'
import { shopDeliveriesRetentionSource } from './work/shop-deliveries-retention-source.ts'

let parley: TestParley
let shop: TestWorkspace
let own: OwnShop
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ countryCode: '91' })
  own = await ownShop(parley, shop)
})

const ASHA = '+919812345678'
const listPage = async (name = 'orders', query = ''): Promise<Body> =>
  (await shop.get(`/integrations/${name}/deliveries${query}`)).body
const applied = () => deliveriesApplied(parley, shop.workspaceId)

/** Stores a delivery that can't be read, as a bug of ours would. */
const insertBroken = (integration: string, { daysAgo = 0 } = {}) =>
  parley.system((tx) =>
    tx.sql(
      `insert into shop_deliveries (workspace_id, id, integration, provider, shop_id, delivery_id, topic, reference, types, raw,
         run_at, received_at)
       values ($1, uuidv7(), $2, 'orders', 'own', 'broken', 'order', 'A-1', '{order_paid}', $3, $4, $4)`,
      [
        shop.workspaceId,
        integration,
        Buffer.from(`{"phone": "${ASHA}", `),
        new Date(Date.now() - daysAgo * DAY_MS),
      ],
    ),
  )

test('deliveries are listed newest first, with their result and without customer data', async () => {
  const order = newOrder()
  await own.report(order, { id: 'first' })
  await applied()
  await own.report({ ...order, type: 'order_paid' }, { id: 'second' })
  await own.report({ ...order, total: 9 }, { id: 'third' })
  await own.report(order, { id: 'first' })
  await applied()
  const answer = await shop.get('/integrations/orders/deliveries')
  expect(answer.status, answer.text).toBe(200)
  expect(
    answer.body.deliveries.map(({ deliveryId, status, types }: Body) => [deliveryId, status, types]),
  ).toEqual([
    ['third', 'repeat', ['order_placed']],
    ['second', 'applied', ['order_paid']],
    ['first', 'applied', ['order_placed']],
  ])
  expect(answer.body.deliveries.at(-1)).toEqual({
    id: expect.any(String),
    deliveryId: 'first',
    provider: 'orders',
    shopId: 'own',
    topic: 'order',
    types: ['order_placed'],
    reference: order.reference,
    status: 'applied',
    reason: null,
    repeats: 1,
    attempts: 0,
    nextAttemptAt: null,
    receivedAt: expect.any(String),
  })
  expect(answer.text).not.toContain(ASHA)
  expect(answer.text).not.toContain('Asha')
})

test('a delivery without an id from the shop is recognized by its content', async () => {
  const body = JSON.stringify(newOrder())
  for (let time = 0; time < 3; time++) expect((await own.post(body, own.sign(body))).status).toBe(200)
  expect((await listPage()).deliveries).toMatchObject([
    { deliveryId: expect.stringMatching(/^[0-9a-f]{64}$/), repeats: 2 },
  ])
})

test("a refused delivery isn't listed", async () => {
  const body = JSON.stringify(newOrder())
  expect((await own.post(body, { ...own.sign(body), 'x-webhook-timestamp': '1' })).status).toBe(401)
  expect((await own.report({ reference: 'A-1' })).status).toBe(400)
  expect(await listPage()).toEqual({ deliveries: [], nextCursor: null })
})

test("a delivery that can't be applied shows its error, without quoting it, and its next attempt", async () => {
  await insertBroken('orders')
  const broken = await until(async () => {
    const answer = await shop.get('/integrations/orders/deliveries')
    return answer.body.deliveries[0].attempts > 0 && answer
  }, 'the report has a failed attempt')
  expect(broken.body.deliveries).toMatchObject([
    { status: 'waiting', reason: expect.stringContaining('error'), reference: 'A-1', types: ['order_paid'] },
  ])
  expect(Date.parse(broken.body.deliveries[0].nextAttemptAt)).toBeGreaterThan(Date.now() - DAY_MS)
  expect(broken.text).not.toContain(ASHA)
})

test("after its last attempt a delivery is failed and isn't tried again", async () => {
  shop = await parley.workspace({ sandbox: true })
  await insertBroken('simulator')
  await shop.advance(2 * 3_600)
  expect((await listPage('simulator')).deliveries).toMatchObject([
    { status: 'failed', reason: expect.stringContaining('error'), nextAttemptAt: null },
  ])
})

test('a simulated shop has deliveries too, in the time of its sandbox', async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.advance(5 * 86_400)
  await shop.post('/sandbox/simulate', {
    kind: 'order',
    store: 'woocommerce',
    type: 'order_paid',
    reference: '#7',
    from: ASHA,
  })
  await applied()
  const [delivery] = (await listPage('simulator')).deliveries
  expect(delivery).toMatchObject({
    provider: 'woocommerce',
    topic: 'order.updated',
    types: ['order_paid'],
    reference: '#7',
    status: 'applied',
  })
  expect(Date.parse(delivery.receivedAt)).toBeGreaterThan(Date.now() + 4 * DAY_MS)
})

test('pages continue each other', async () => {
  for (const id of ['1', '2', '3']) await own.report(newOrder(), { id })
  const first = await listPage('orders', '?limit=2')
  expect(first.deliveries.map(({ deliveryId }: Body) => deliveryId)).toEqual(['3', '2'])
  const second = await listPage('orders', `?limit=2&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ deliveries: [{ deliveryId: '1' }], nextCursor: null })
})

test('an unknown name returns 404; other names list nothing of another integration or workspace', async () => {
  await own.report(newOrder())
  for (const name of ['magento', 'simulator'])
    expect(await shop.get(`/integrations/${name}/deliveries`)).toMatchObject({
      status: 404,
      body: { error: 'unknown_integration' },
    })
  for (const name of ['shopify', 'razorpay', 'ai'])
    expect(await listPage(name)).toEqual({ deliveries: [], nextCursor: null })
  const other = await parley.workspace()
  expect((await other.get('/integrations/orders/deliveries')).body.deliveries).toEqual([])
  const viewer = await shop.as('viewer')
  expect((await viewer.get('/integrations/orders/deliveries')).body.deliveries).toHaveLength(1)
})

test('deliveries are kept for a week', async () => {
  const fresh = randomUUID()
  await own.report(newOrder(), { id: fresh })
  await insertBroken('orders', { daysAgo: 8 })
  await parley.system((tx) =>
    tx.sql(
      `update shop_deliveries set outcome = 'applied', raw = null where workspace_id = $1 and delivery_id = 'broken'`,
      [shop.workspaceId],
    ),
  )
  await parley.system(({ sql: query }) =>
    shopDeliveriesRetentionSource({ database: { query }, clock: systemClock }).runDue({}),
  )
  expect((await listPage()).deliveries).toMatchObject([{ deliveryId: fresh }])
})

test('the list uses its index', async () => {
  const plan = await parley.system((tx) =>
    planOf(tx, shop.workspaceId, (ctx) => listShownDeliveries(ctx, { name: 'orders', limit: 50 })),
  )
  expect(plan).toContain('shop_deliveries_listed')
  expect(plan).not.toContain('Sort')
})
