/** Tests of order facts in any order: late payments, test notifications (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { rowCountsOf } from '../../../../test/support/records.ts'
import { DASHBOARD, signInByLink } from '../../../../test/support/sessions.ts'
import {
  deliveriesApplied,
  newOrder,
  type OwnShop,
  orderEvents,
  ownShop,
} from '../../../../test/support/shops.ts'

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

const atHour = (hour: number): string => `2026-06-01T${String(hour).padStart(2, '0')}:00:00Z`
const orderOf = async (reference: string): Promise<Body> => {
  await deliveriesApplied(parley, shop.workspaceId)
  return (await shop.get(`/orders?reference=${reference}`)).body.orders[0]
}
const lateNotices = async (): Promise<Body[]> => {
  await deliveriesApplied(parley, shop.workspaceId)
  const owner = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
  const { body } = await owner.get(`${DASHBOARD}/notifications`)
  return body.notifications.filter(({ kind }: Body) => kind === 'order_paid_late')
}

type Fact = [type: string, hour: number]
const orders = <Item>(items: Item[]): Item[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))

describe('the latest facts decide the status of an order, in any order of reports', () => {
  const cases: [Fact[], string][] = [
    [
      [
        ['order_placed', 1],
        ['order_cancelled', 2],
        ['order_paid', 3],
      ],
      'paid',
    ],
    [
      [
        ['order_placed', 1],
        ['order_paid', 2],
        ['order_cancelled', 3],
      ],
      'cancelled',
    ],
    [
      [
        ['order_placed', 1],
        ['order_cancelled', 2],
        ['order_shipped', 3],
      ],
      'shipped',
    ],
    [
      [
        ['order_paid', 1],
        ['order_cancelled', 2],
        ['order_paid', 3],
      ],
      'paid',
    ],
    [
      [
        ['order_cancelled', 1],
        ['order_paid', 2],
        ['order_cancelled', 3],
      ],
      'cancelled',
    ],
    [
      [
        ['order_placed', 1],
        ['order_cancelled', 2],
        ['order_placed', 3],
      ],
      'placed',
    ],
    [
      [
        ['order_paid', 2],
        ['order_cancelled', 2],
      ],
      'cancelled',
    ],
  ]
  test.each(cases)('%j results in %s', async (facts, status) => {
    for (const inOrder of orders(facts)) {
      const order = newOrder()
      for (const [type, hour] of inOrder) await own.report({ ...order, type, occurredAt: atHour(hour) })
      expect((await orderOf(order.reference)).status, JSON.stringify(inOrder)).toBe(status)
    }
  })
})

test('a payment after a cancellation is shown, fires order.event and notifies owners and admins', async () => {
  const order = newOrder()
  for (const [type, hour] of [
    ['order_placed', 1],
    ['order_cancelled', 2],
    ['order_paid', 3],
  ] as Fact[])
    await own.report({ ...order, type, occurredAt: atHour(hour) })
  const shownOrder = await orderOf(order.reference)
  expect(shownOrder).toMatchObject({
    status: 'paid',
    cancelledAt: '2026-06-01T02:00:00.000Z',
    paidAt: '2026-06-01T03:00:00.000Z',
  })
  expect((await orderEvents(parley, shop.workspaceId)).map(({ type }) => type)).toEqual([
    'order_placed',
    'order_cancelled',
    'order_paid',
  ])
  expect(await lateNotices()).toMatchObject([
    { title: order.reference, subjectId: shownOrder.id, body: expect.stringContaining('refund') },
  ])
})

test('a payment reported after the cancellation sends a notice, and the order stays canceled', async () => {
  const order = newOrder()
  for (const [type, hour] of [
    ['order_placed', 1],
    ['order_cancelled', 3],
    ['order_paid', 2],
  ] as Fact[])
    await own.report({ ...order, type, occurredAt: atHour(hour) })
  expect(await orderOf(order.reference)).toMatchObject({
    status: 'cancelled',
    paidAt: '2026-06-01T02:00:00.000Z',
  })
  expect(await lateNotices()).toHaveLength(1)
})

test('canceling a paid order sends no notice of a late payment', async () => {
  const order = newOrder()
  for (const [type, hour] of [
    ['order_paid', 2],
    ['order_cancelled', 3],
  ] as Fact[])
    await own.report({ ...order, type, occurredAt: atHour(hour) })
  expect(await orderOf(order.reference)).toMatchObject({ status: 'cancelled' })
  expect(await lateNotices()).toEqual([])
})

test('a test report of an own shop returns 200, is listed as ignored, and creates no order, contact or event', async () => {
  const before = await rowCountsOf(parley, shop.workspaceId)
  expect(await own.report(newOrder({ test: true }))).toMatchObject({ status: 200, body: { ok: true } })
  expect(await own.report({ test: true })).toMatchObject({ status: 200 })
  await deliveriesApplied(parley, shop.workspaceId)
  expect((await shop.get('/orders')).body.orders).toEqual([])
  const { deliveries } = (await shop.get('/integrations/orders/deliveries')).body
  expect(deliveries).toHaveLength(2)
  for (const delivery of deliveries)
    expect(delivery).toMatchObject({
      status: 'ignored',
      reason: expect.stringContaining('test'),
      reference: null,
    })
  const after = await rowCountsOf(parley, shop.workspaceId)
  expect({ ...after, shop_deliveries: 0 }).toEqual({ ...before, shop_deliveries: 0 })
})
