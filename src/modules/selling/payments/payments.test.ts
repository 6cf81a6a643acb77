/** Payment requests: creating and reading them, and their states (spec 2.10, 3, 4.7). */
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { runParley } from '../../../../test/support/command-line.ts'
import { connectNumber } from '../../../../test/support/operator-webhooks.ts'
import {
  commandEnv,
  order,
  pay,
  payingShop,
  quietOperator,
  realShop,
  reportCustomer,
  requestWhen,
} from '../../../../test/support/payments.ts'
import { everythingOf } from '../../../../test/support/records.ts'
import { customerWrites, openSocialShop } from '../../../../test/support/social-shop.ts'
import { until } from '../../../../test/support/until.ts'
import type { StandaloneSimulator } from '../../../operator/simulator/standalone/start.ts'
import { armFault } from '../../automating/sandbox/simulated-faults.ts'

let parley: TestParley
let operator: StandaloneSimulator
beforeAll(async () => {
  operator = await quietOperator()
  parley = await boot({ env: { PARLEY_OPERATOR_URL: operator.url } })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})

const phone = '+919812345678'
const requestPayment = async (shop: TestWorkspace, more: object = {}) => {
  const answer = await shop.post('/payment-requests', order({ to: phone, ...more }))
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body.paymentRequest
}
const statusOf = async (shop: TestWorkspace, ref: string) =>
  (await shop.get(`/payment-requests/${ref}`)).body.paymentRequest.status
const sentTo = async (shop: TestWorkspace, messageId: string) =>
  (await shop.get(`/messages/${messageId}`)).body.message
const links = (shop: TestWorkspace) =>
  parley.system((tx) =>
    tx.sql<{ value: { id: string; status: string; expire_by: number } }>(
      `select value from simulator_objects where workspace_id = $1 and kind = 'gateway_payment_link'`,
      [shop.workspaceId],
    ),
  )

describe('POST /payment-requests', () => {
  test('requests a payment in a conversation: 201 with the request, which sends an ordinary message', async () => {
    const { shop, conversationId } = await payingShop(parley)
    const answer = await shop.post('/payment-requests', {
      conversationId,
      referenceId: 'ORD-1001',
      items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
      shippingPaise: 4_000,
      body: 'Please pay for order ORD-1001',
      expiresInMinutes: 60,
    })
    expect(answer.status, answer.text).toBe(201)
    const { paymentRequest } = answer.body
    expect(paymentRequest).toMatchObject({
      referenceId: 'ORD-1001',
      status: 'created',
      conversationId,
      items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
      shippingPaise: 4_000,
      totalPaise: 48_000,
      currency: 'INR',
      paidPaise: null,
      failure: null,
    })
    expect(Date.parse(paymentRequest.expiresAt) - Date.parse(paymentRequest.createdAt)).toBe(3_600_000)
    await shop.advance(10)
    const message = await sentTo(shop, paymentRequest.messageId)
    expect(message).toMatchObject({ type: 'interactive', status: 'read', conversationId })
    const [link] = await links(shop)
    expect(message.content).toMatchObject({
      type: 'order_details',
      body: { text: 'Please pay for order ORD-1001' },
      action: {
        name: 'review_and_pay',
        parameters: {
          reference_id: 'ORD-1001',
          total_amount: { value: 48_000, offset: 100 },
          payment_settings: [
            { type: 'payment_link', payment_link: { uri: expect.stringContaining(link!.value.id) } },
          ],
        },
      },
    })
    const events = (await shop.get('/events?limit=100')).body.events
    const statuses = events.filter(
      (event: { data: { messageId?: string } }) => event.data.messageId === message.id,
    )
    expect(statuses.map((event: { data: { status: string } }) => event.data.status).sort()).toEqual([
      'delivered',
      'read',
      'sent',
    ])
  })

  test("takes a customer's number instead, or chan:<user id>", async () => {
    const { shop } = await payingShop(parley)
    expect(await requestPayment(shop, { to: '919812345678' })).toMatchObject({ status: 'created' })
    await shop.inbound('chan:IN.77', 'I take two.')
    expect(await requestPayment(shop, { to: 'chan:IN.77' })).toMatchObject({ status: 'created' })
  })

  test('long names and texts are cut between characters: the gateway refuses half of one', async () => {
    const shop = await parley.workspace({ sandbox: true, name: `${'x'.repeat(99)}🧵🧵` })
    await shop.inbound(phone, 'I take two.')
    const body = '🧵'.repeat(1_024)
    const { id, messageId } = await requestPayment(shop, { referenceId: 'ORD-1', body })
    await shop.advance(5)
    expect(await statusOf(shop, id)).toBe('sent')
    const [link] = await links(shop)
    expect(link!.value).toMatchObject({ description: `ORD-1: ${body}` })
    const [item] = (await sentTo(shop, messageId)).content.action.parameters.order.items
    expect(item.importer_name).toBe(`${'x'.repeat(99)}🧵`)
  })

  test('body text and shipping are optional', async () => {
    const { shop } = await payingShop(parley)
    const request = await requestPayment(shop, { referenceId: 'ORD-7', shippingPaise: undefined })
    expect(request).toMatchObject({
      totalPaise: 44_000,
      shippingPaise: 0,
      body: 'Please pay for order ORD-7',
      expiresAt: null,
    })
  })

  test('a request without a text, and the notice of its end, are in the language of the contact', async () => {
    const { shop } = await payingShop(parley)
    await shop.patch(`/contacts/${phone}`, { language: 'hi' })
    const { id, body } = await requestPayment(shop, { referenceId: 'ORD-8' })
    expect(body).toBe('कृपया ऑर्डर ORD-8 का भुगतान करें')
    await requestWhen(shop, id, ({ status }) => status === 'sent', 'it is sent')
    await shop.post(`/payment-requests/ORD-8/cancel`)
    const [notice] = (await shop.get('/messages?direction=outbound&limit=1')).body.messages
    expect(notice.content.body.text).toContain('ऑर्डर ORD-8 रद्द कर दिया गया है।')
  })

  test('a gateway must be connected, otherwise 409, with any body', async () => {
    const shop = await parley.workspace()
    const before = await everythingOf(parley, shop.workspaceId)
    for (const body of [order({ to: phone }), { nonsense: true }])
      expect(await shop.post('/payment-requests', body)).toMatchObject({
        status: 409,
        body: { error: 'conflict', message: expect.stringContaining('No payment gateway is connected') },
      })
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('a sandbox has the simulated gateway: it is always active, and pays only on command', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(phone, 'I take two.')
    const { referenceId } = await requestPayment(shop)
    await shop.advance(60)
    const before = (await shop.get(`/payment-requests/${referenceId}`)).body.paymentRequest
    expect(before).toMatchObject({ status: 'sent', paymentUrl: expect.any(String) })
    await pay(parley, shop, referenceId)
    await requestWhen(shop, referenceId, ({ status }) => status === 'paid', 'it is paid')
    const [storedRows] = await parley.system((tx) =>
      tx.sql<{ rows: number }>('select count(*)::int as rows from payment_gateways where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )
    expect(storedRows).toEqual({ rows: 0 })
  })

  test('the id of a sandbox is not enough to report payments for its gateway', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const body = JSON.stringify({ event: 'payment_link.paid' })
    for (const secret of [shop.workspaceId, `rzp_test_${shop.workspaceId.replaceAll('-', '')}`, '']) {
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'x-razorpay-signature': signature }
      const answer = await parley.anonymous.post(`${parley.url}/api/gateway/${shop.workspaceId}`, body, {
        headers,
      })
      expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    }
  })

  test('a payment configuration that the operator reports as inactive counts as no gateway: 409', async () => {
    const { shop } = await payingShop(parley)
    await shop.connectGateway({ configuration: 'shop-rzp' })
    await parley.system((tx) =>
      tx.sql(
        `update payment_gateways set configuration_status = 'needs connecting' where workspace_id = $1`,
        [shop.workspaceId],
      ),
    )
    const answer = await shop.post('/payment-requests', order({ to: phone }))
    expect(answer).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(answer.body.message).toContain('needs connecting')
  })

  test.each([
    [{ referenceId: undefined }, 'referenceId'],
    [{ referenceId: '' }, 'referenceId'],
    [{ referenceId: 'ORD 1' }, 'referenceId'],
    [{ referenceId: 'x'.repeat(36) }, 'referenceId'],
    [{ items: undefined }, 'items'],
    [{ items: [] }, 'items'],
    [{ items: [{ name: '', quantity: 1, unitPaise: 1 }] }, 'items[0].name'],
    [{ items: [{ name: 'x'.repeat(61), quantity: 1, unitPaise: 1 }] }, 'items[0].name'],
    [{ items: [{ name: 'A', quantity: 0, unitPaise: 1 }] }, 'items[0].quantity'],
    [{ items: Array.from({ length: 51 }, () => ({ name: 'A', quantity: 1, unitPaise: 1 })) }, 'items'],
    [{ items: [{ name: 'A', quantity: 10_000, unitPaise: 1 }] }, 'items[0].quantity'],
    [{ items: [{ name: 'A', quantity: 1.5, unitPaise: 1 }] }, 'items[0].quantity'],
    [{ items: [{ name: 'A', quantity: 1, unitPaise: 0 }] }, 'items[0].unitPaise'],
    [{ items: [{ name: 'A', quantity: 1, unitPaise: 10.5 }] }, 'items[0].unitPaise'],
    [{ items: [{ name: 'A', quantity: 1, unitPaise: '100' }] }, 'items[0].unitPaise'],
    [{ items: [{ name: 'A', quantity: 1, unitPaise: -100 }] }, 'items[0].unitPaise'],
    [{ items: [{ name: 'A', quantity: 1, unitPaise: 50_000_001 }] }, 'items[0].unitPaise'],
    [{ items: [{ name: 'A', quantity: 1, unitPaise: 50_000_000 }], shippingPaise: 1 }, 'items'],
    [{ items: [{ name: 'A', quantity: 9_999, unitPaise: 50_000_000 }] }, 'items'],
    [{ shippingPaise: -1 }, 'shippingPaise'],
    [{ shippingPaise: 0.5 }, 'shippingPaise'],
    [{ currency: 'USD' }, 'currency'],
    [{ body: '' }, 'body'],
    [{ body: 'x'.repeat(1025) }, 'body'],
    [{ expiresInMinutes: 4 }, 'expiresInMinutes'],
    [{ expiresInMinutes: 7.5 }, 'expiresInMinutes'],
    [{ expiresInMinutes: 43_201 }, 'expiresInMinutes'],
    [{ to: undefined }, 'to'],
    [{ to: 'nobody' }, 'to'],
    [{ to: 'sx:17841400000000000' }, 'to'],
    [{ conversationId: 'not-an-id', to: undefined }, 'conversationId'],
    [{ conversationId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f' }, 'to'],
    [{ amount: 1 }, 'amount'],
  ])('%j is 400 naming %s', async (more, path) => {
    const { shop } = await payingShop(parley)
    const answer = await shop.post('/payment-requests', order({ to: phone, ...more }))
    expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('the total may be 50,000,000 paise, including shipping', async () => {
    const { shop } = await payingShop(parley)
    const items = [{ name: 'A', quantity: 3, unitPaise: 16_000_000 }]
    expect(await requestPayment(shop, { items, shippingPaise: 2_000_000 })).toMatchObject({
      totalPaise: 50_000_000,
    })
  })

  test('takes 50 items, each 9,999 times, and 43,200 minutes', async () => {
    const { shop } = await payingShop(parley)
    const items = Array.from({ length: 50 }, () => ({ name: 'A', quantity: 9_999, unitPaise: 1 }))
    expect(await requestPayment(shop, { items, expiresInMinutes: 43_200 })).toMatchObject({
      items,
      totalPaise: 503_950,
    })
  })

  test("an unknown conversation, or another workspace's, is 404", async () => {
    const { shop } = await payingShop(parley)
    const { conversationId } = await payingShop(parley)
    for (const id of [conversationId, '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f'])
      expect(await shop.post('/payment-requests', order({ conversationId: id }))).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
  })

  test('a chat of the photo network is 400: only the chat network has payments', async () => {
    const shop = await openSocialShop(parley)
    await shop.connectGateway({})
    const { conversationId } = await customerWrites(parley, shop, { from: 'asha_r', text: 'I take two.' })
    const answer = await shop.post('/payment-requests', order({ conversationId }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'conversationId' }] },
    })
    expect((await shop.get('/payment-requests')).body.paymentRequests).toEqual([])
  })

  describe('is rejected like a send, and then stores nothing', () => {
    test('outside of the 24-hour window: 422', async () => {
      const { shop, conversationId } = await payingShop(parley)
      await shop.advance(86_400)
      const before = await everythingOf(parley, shop.workspaceId)
      for (const to of [{ conversationId }, { to: phone }, { to: '+919800000001' }])
        expect(await shop.post('/payment-requests', order(to))).toMatchObject({
          status: 422,
          body: { error: 'outside_24h_window' },
        })
      expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
    })

    test('to a customer who opted out: 409', async () => {
      const { shop, conversationId } = await payingShop(parley)
      await shop.inbound(phone, 'STOP')
      const before = await everythingOf(parley, shop.workspaceId)
      expect(await shop.post('/payment-requests', order({ conversationId }))).toMatchObject({
        status: 409,
        body: { error: 'contact_opted_out' },
      })
      expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
    })

    test('to our own number: 400; from a number that was banned: 409', async () => {
      const { shop } = await payingShop(parley)
      expect(await shop.post('/payment-requests', order({ to: shop.number }))).toMatchObject({
        status: 400,
        body: { error: 'cannot_send_to_self' },
      })
      await parley.system((tx) =>
        tx.sql(`update phone_numbers set state = 'number_banned' where workspace_id = $1`, [
          shop.workspaceId,
        ]),
      )
      expect(await shop.post('/payment-requests', order({ to: phone }))).toMatchObject({
        status: 409,
        body: { error: 'number_banned' },
      })
    })

    test('when the month’s messages are used up: 402', async () => {
      const { shop } = await payingShop(parley)
      await shop.set({ messageAllowance: 1 })
      await requestPayment(shop)
      expect(await shop.post('/payment-requests', order({ to: phone }))).toMatchObject({
        status: 402,
        body: { error: 'quota_exceeded' },
      })
    })
  })

  describe('a second request with the same referenceId', () => {
    test('returns 200 with the first, with any body, also when it was paid or the window is closed', async () => {
      const { shop } = await payingShop(parley)
      const first = await requestPayment(shop, { referenceId: 'ORD-1' })
      const repeatRequest = (more: object) =>
        shop.post('/payment-requests', order({ to: '+919800000009', referenceId: 'ORD-1', ...more }))
      expect(await repeatRequest({})).toMatchObject({
        status: 200,
        body: { paymentRequest: { id: first.id } },
      })
      await pay(parley, shop, first.id)
      await shop.advance(90_000)
      expect(await repeatRequest({ items: [{ name: 'B', quantity: 1, unitPaise: 5 }] })).toMatchObject({
        status: 200,
        body: { paymentRequest: { id: first.id, status: 'paid', totalPaise: 48_000 } },
      })
      expect(await links(shop)).toHaveLength(1)
    })

    test('returns 200 with the first even without a gateway, when another reference is 409', async () => {
      const shop = await parley.workspace()
      await shop.connectGateway()
      await reportCustomer(await connectNumber(parley, shop), phone)
      await until(
        async () => (await shop.get('/conversations')).body.conversations.length > 0,
        'the chat exists',
      )
      const { id } = await requestPayment(shop, { referenceId: 'ORD-1' })
      await runParley(['gateway', 'remove', '--workspace', shop.workspaceId], commandEnv(parley))
      const idempotencyKey = randomUUID()
      const repeatRequest = () =>
        shop.post('/payment-requests', order({ to: phone, referenceId: 'ORD-1' }), { idempotencyKey })
      for (const replayHeader of [undefined, 'true']) {
        const answer = await repeatRequest()
        expect(answer).toMatchObject({ status: 200, body: { paymentRequest: { id } } })
        expect(answer.headers['idempotent-replayed']).toBe(replayHeader)
      }
      for (const body of [order({ to: phone }), { referenceId: 'ORD-2' }, { referenceId: 'ORD 1' }, 7, '{'])
        expect(await shop.post('/payment-requests', body)).toMatchObject({
          status: 409,
          body: { error: 'conflict' },
        })
    })

    test.each([
      [{}],
      [{ items: [{ name: '', quantity: 0, unitPaise: -1 }], shippingPaise: 'none' }],
      [{ to: 'nobody', amount: 1, currency: 'USD' }],
    ])('returns 200 with the first when the rest is %j', async (rest) => {
      const { shop } = await payingShop(parley)
      const { id } = await requestPayment(shop, { referenceId: 'ORD-1' })
      expect(await shop.post('/payment-requests', { referenceId: 'ORD-1', ...rest })).toMatchObject({
        status: 200,
        body: { paymentRequest: { id, totalPaise: 48_000 } },
      })
      for (const referenceId of ['ORD-2', 'ord-1', ['ORD-1']])
        expect(await shop.post('/payment-requests', { ...rest, referenceId })).toMatchObject({
          status: 400,
          body: { error: 'invalid' },
        })
    })

    test('in parallel creates one: one message, one link', async () => {
      const { shop } = await payingShop(parley)
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          shop.post('/payment-requests', order({ to: phone, referenceId: 'ORD-1' })),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201])
      const ids = answers.map(({ body }) => body.paymentRequest.id)
      expect(new Set(ids).size).toBe(1)
      await requestWhen(shop, 'ORD-1', ({ status }) => status === 'sent', 'it is sent')
      expect((await shop.get('/messages?direction=outbound')).body.messages).toHaveLength(1)
      expect(await links(shop)).toHaveLength(1)
    })

    test('in another workspace is a separate request', async () => {
      const [firstShop, otherShop] = [await payingShop(parley), await payingShop(parley)]
      const first = await requestPayment(firstShop.shop, { referenceId: 'ORD-1' })
      expect((await requestPayment(otherShop.shop, { referenceId: 'ORD-1' })).id).not.toBe(first.id)
    })
  })
})

describe('GET /payment-requests', () => {
  test('/{id} finds by our id and by referenceId; foreign and missing ones are the same 404', async () => {
    const { shop } = await payingShop(parley)
    const { id, referenceId } = await requestPayment(shop)
    for (const ref of [id, id.toUpperCase(), referenceId])
      expect((await shop.get(`/payment-requests/${ref}`)).body.paymentRequest.id).toBe(id)
    const other = await parley.workspace()
    for (const ref of [id, referenceId, 'nothing'])
      expect(await other.get(`/payment-requests/${ref}`)).toMatchObject({ status: 404 })
  })

  test('lists requests newest first, by cursor and by status', async () => {
    const { shop } = await payingShop(parley)
    const created = []
    for (let i = 0; i < 3; i++) created.push(await requestPayment(shop))
    await shop.post(`/payment-requests/${created[1].id}/cancel`)
    const first = (await shop.get('/payment-requests?limit=2')).body
    expect(first.paymentRequests.map((request: { id: string }) => request.id)).toEqual([
      created[2].id,
      created[1].id,
    ])
    const second = (await shop.get(`/payment-requests?limit=2&cursor=${first.nextCursor}`)).body
    expect(second).toMatchObject({ paymentRequests: [{ id: created[0].id }], nextCursor: null })
    const cancelledPage = (await shop.get('/payment-requests?status=cancelled')).body
    expect(cancelledPage.paymentRequests).toMatchObject([{ id: created[1].id }])
    expect(await shop.get('/payment-requests?status=lost')).toMatchObject({ status: 400 })
    expect(await shop.get('/payment-requests?cursor=1')).toMatchObject({ status: 400 })
  })
})

describe('states', () => {
  test('created until the operator has accepted the message, then sent, with its time', async () => {
    const { shop } = await payingShop(parley)
    const { id, messageId } = await requestPayment(shop)
    const sent = await requestWhen(shop, id, ({ status }) => status === 'sent', 'it is sent')
    expect(sent.sentAt).toBe((await sentTo(shop, messageId)).sentAt)
  })

  test('failed when the message did not reach the customer, with the reason', async () => {
    const unreachable = '+12125550126'
    const { shop } = await payingShop(parley, unreachable)
    const { id } = await requestPayment(shop, { to: unreachable })
    await shop.advance(5)
    expect((await shop.get(`/payment-requests/${id}`)).body.paymentRequest).toMatchObject({
      status: 'failed',
      failure: { source: 'message', code: '131026', message: expect.stringMatching(/.../) },
    })
  })

  test('failed when the gateway refuses the link: the message fails too, and is not sent', async () => {
    const { shop } = await payingShop(parley)
    await armed(shop, 'refuse', 2)
    const { id, messageId } = await requestPayment(shop)
    const failed = await requestWhen(shop, id, ({ status }) => status === 'failed', 'it has failed')
    expect(failed.failure).toMatchObject({ source: 'gateway', code: 'BAD_REQUEST_ERROR' })
    expect(await sentTo(shop, messageId)).toMatchObject({ status: 'failed', chanmid: null })
    const { events } = (await shop.get('/events?limit=100')).body
    expect(events.filter((event: { event: string }) => event.event === 'message.failed')).toHaveLength(1)
  })

  test('a gateway without an answer is called again, and creates no second link', async () => {
    const { shop } = await payingShop(parley)
    await armed(shop, 'no-answer', 3)
    const { id } = await requestPayment(shop)
    await shop.advance(600)
    expect(await statusOf(shop, id)).toBe('sent')
    expect(await links(shop)).toHaveLength(1)
  })

  test('an order whose link was late shows an end that the operator accepts: five minutes ahead', async () => {
    const { shop } = await payingShop(parley)
    await armed(shop, 'no-answer', 4)
    const { id, messageId } = await requestPayment(shop, { expiresInMinutes: 5 })
    await shop.advance(120)
    expect(await statusOf(shop, id)).toBe('sent')
    const { content, sentAt } = await sentTo(shop, messageId)
    const { timestamp } = content.action.parameters.order.expiration
    expect(Number(timestamp) - Date.parse(sentAt) / 1000).toBeGreaterThanOrEqual(300)
  })

  test('a gateway that never answers fails the request', async () => {
    const { shop } = await payingShop(parley)
    await armed(shop, 'no-answer', 1_000)
    const { id } = await requestPayment(shop)
    await shop.advance(3 * 3_600)
    expect((await shop.get(`/payment-requests/${id}`)).body.paymentRequest).toMatchObject({
      status: 'failed',
      failure: { source: 'gateway', code: 'no_answer' },
    })
  })

  test('paid when the customer pays; payment.paid is emitted once, on the transition', async () => {
    const { shop } = await payingShop(parley)
    const { id } = await requestPayment(shop)
    await pay(parley, shop, id, '--method', 'wallet')
    await pay(parley, shop, id)
    await shop.advance(90_000)
    const { paymentRequest } = (await shop.get(`/payment-requests/${id}`)).body
    expect(paymentRequest).toMatchObject({
      status: 'paid',
      paidPaise: 48_000,
      paymentMethod: 'wallet',
      paymentId: expect.stringMatching(/^pay_/),
    })
    expect(await paidEvents(shop)).toHaveLength(1)
  })

  test('a failed attempt is shown, and the customer may still pay', async () => {
    const { shop } = await payingShop(parley)
    const { id } = await requestPayment(shop)
    expect(await pay(parley, shop, id, '--fail')).toMatchObject({ status: 'failed' })
    const { paymentRequest } = (await shop.get(`/payment-requests/${id}`)).body
    expect(paymentRequest.failure).toMatchObject({
      source: 'payment',
      message: 'The payment was declined.',
    })
    expect(await paidEvents(shop)).toEqual([])
    expect(await pay(parley, shop, id)).toMatchObject({ status: 'paid' })
    expect((await shop.get(`/payment-requests/${id}`)).body.paymentRequest.failure).toBeNull()
  })

  test('expired when its time is over; its link is canceled too', async () => {
    const { shop } = await payingShop(parley)
    const { id, expiresAt } = await requestPayment(shop, { expiresInMinutes: 30 })
    await shop.advance(29 * 60)
    expect(await statusOf(shop, id)).toBe('sent')
    await shop.advance(60)
    expect(await statusOf(shop, id)).toBe('expired')
    expect((await links(shop))[0]!.value.expire_by).toBe(Math.floor(Date.parse(expiresAt) / 1000))
    expect(await paidEvents(shop)).toEqual([])
  })

  test("a request with a shorter life than a gateway's link expires anyway", async () => {
    const { shop } = await payingShop(parley)
    const { id } = await requestPayment(shop, { expiresInMinutes: 5 })
    await shop.advance(300)
    expect(await statusOf(shop, id)).toBe('expired')
    expect((await links(shop))[0]!.value.status).toBe('cancelled')
  })

  test('an expired request that is paid later becomes paid', async () => {
    const { shop } = await payingShop(parley)
    const { id } = await requestPayment(shop, { expiresInMinutes: 5 })
    await shop.advance(600)
    expect(await pay(parley, shop, id)).toMatchObject({ status: 'paid' })
    expect(await paidEvents(shop)).toHaveLength(1)
  })

  test('the message is not sent if the request ended before its link existed', async () => {
    const { shop } = await payingShop(parley)
    await armed(shop, 'no-answer', 1_000)
    const [expiredRequest, cancelledRequest] = [
      await requestPayment(shop, { expiresInMinutes: 5 }),
      await requestPayment(shop),
    ]
    await shop.post(`/payment-requests/${cancelledRequest.id}/cancel`)
    await shop.advance(400)
    expect(await statusOf(shop, expiredRequest.id)).toBe('expired')
    expect(await statusOf(shop, cancelledRequest.id)).toBe('cancelled')
    for (const { messageId } of [expiredRequest, cancelledRequest])
      expect((await sentTo(shop, messageId)).status).toBe('skipped')
  })
})

describe('POST /payment-requests/{id}/cancel', () => {
  test('cancels an unpaid request: its link is canceled, and the customer is notified', async () => {
    const { shop } = await payingShop(parley)
    const { id, referenceId } = await requestPayment(shop)
    await requestWhen(shop, id, ({ status }) => status === 'sent', 'it is sent')
    const answer = await shop.post(`/payment-requests/${referenceId}/cancel`)
    expect(answer).toMatchObject({ status: 200, body: { paymentRequest: { id, status: 'cancelled' } } })
    await shop.advance(5)
    expect((await links(shop))[0]!.value.status).toBe('cancelled')
    const [notice] = (await shop.get('/messages?direction=outbound&limit=1')).body.messages
    expect(notice).toMatchObject({
      status: 'read',
      content: {
        type: 'order_status',
        body: { text: `Order ${referenceId} was canceled. There is nothing to pay.` },
        action: {
          name: 'review_order',
          parameters: { reference_id: referenceId, order: { status: 'canceled' } },
        },
      },
    })
  })

  test.each([
    ['was handed over, before any receipt', 'asked'],
    ['may not even be handed over yet', 'ask'],
  ] as const)('notifies a customer whose message %s', async (_, helper) => {
    const setup = await realShop(parley, operator, { configuration: 'shop-rzp' })
    const { id, sentAt } = await setup[helper]()
    expect(sentAt).toBeNull()
    await setup.shop.post(`/payment-requests/${id}/cancel`)
    const { messages } = (await setup.shop.get('/messages?direction=outbound')).body
    expect(messages.map((message: { content: { type: string } }) => message.content.type)).toEqual([
      'order_status',
      'order_details',
    ])
  })

  test('does not notify a customer whose message has failed', async () => {
    const { shop } = await payingShop(parley)
    await armed(shop, 'refuse', 1)
    const { id } = await requestPayment(shop)
    await requestWhen(shop, id, ({ status }) => status === 'failed', 'it is failed')
    await shop.post(`/payment-requests/${id}/cancel`)
    expect((await shop.get('/messages?direction=outbound')).body.messages).toHaveLength(1)
  })

  test('notifies the customer with your own text; outside the window it sends no message', async () => {
    const { shop } = await payingShop(parley)
    const [cancelledRequest, late] = [await requestPayment(shop), await requestPayment(shop)]
    await shop.advance(5)
    await shop.post(`/payment-requests/${cancelledRequest.id}/cancel`, { body: 'We are out of blue.' })
    const { messages } = (await shop.get('/messages?direction=outbound&limit=1')).body
    expect(messages[0].text).toBe('We are out of blue.')
    await shop.advance(90_000)
    expect(await shop.post(`/payment-requests/${late.id}/cancel`)).toMatchObject({ status: 200 })
    expect((await shop.get('/messages?direction=outbound')).body.messages).toHaveLength(3)
  })

  test('repeating it changes nothing; a paid or expired request is 409; an unknown one is 404', async () => {
    const { shop } = await payingShop(parley)
    const [cancelledRequest, paid, expiredRequest] = [
      await requestPayment(shop),
      await requestPayment(shop),
      await requestPayment(shop, { expiresInMinutes: 5 }),
    ]
    await pay(parley, shop, paid.id)
    await shop.advance(400)
    await shop.post(`/payment-requests/${cancelledRequest.id}/cancel`)
    const before = await everythingOf(parley, shop.workspaceId)
    expect(await shop.post(`/payment-requests/${cancelledRequest.id}/cancel`)).toMatchObject({ status: 200 })
    for (const { id } of [paid, expiredRequest])
      expect(await shop.post(`/payment-requests/${id}/cancel`)).toMatchObject({
        status: 409,
        body: { error: 'conflict' },
      })
    expect(await shop.post('/payment-requests/nothing/cancel')).toMatchObject({ status: 404 })
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('a canceled request that is paid later becomes paid', async () => {
    const { shop } = await payingShop(parley)
    const { id } = await requestPayment(shop)
    await shop.advance(5)
    await shop.post(`/payment-requests/${id}/cancel`)
    await shop.advance(5)
    expect(await pay(parley, shop, id)).toMatchObject({ status: 'paid' })
  })
})

const paidEvents = async (shop: TestWorkspace) =>
  (await shop.get('/events?limit=100')).body.events.filter(
    (event: { event: string }) => event.event === 'payment.paid',
  )
const armed = (shop: TestWorkspace, kind: string, times: number) =>
  parley.system((tx) =>
    armFault(tx.sql, { workspaceId: shop.workspaceId, target: 'gateway', kind, times, now: new Date() }),
  )
