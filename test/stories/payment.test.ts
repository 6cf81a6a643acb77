/**
 * A payment in the chat from end to end: requested, delivered, paid, and recorded on the customer's lead
 * (spec 2.10, 4.7).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { order, pay, payingShop, requestWhen } from '../support/payments.ts'
import { makeReceivers, type Receiver } from '../support/receiver.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: TestWorkspace
let receiver: Receiver
let conversationId: string
const phone = '+919812345678'
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
  ;({ shop, conversationId } = await payingShop(parley, phone))
  receiver = await receivers.open()
  await shop.post('/webhooks', { url: receiver.url, event: 'payment.paid' })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

test('from the request to the total of the lead', async () => {
  await shop.post('/leads', { phone, name: 'Asha Rao' })
  const response = await shop.post('/payment-requests', {
    ...order({ referenceId: 'ORD-1001' }),
    conversationId,
    body: 'Please pay for order ORD-1001',
  })
  expect(response.status, response.text).toBe(201)
  const { id, messageId } = response.body.paymentRequest
  const sent = await requestWhen(shop, id, ({ status }) => status === 'sent', 'the customer was asked')
  expect(sent).toMatchObject({
    referenceId: 'ORD-1001',
    totalPaise: 48_000,
    paymentUrl: expect.stringMatching(/^https:/),
  })
  await shop.advance(10)
  const { message } = (await shop.get(`/messages/${messageId}`)).body
  expect(message).toMatchObject({
    status: 'read',
    type: 'interactive',
    text: 'Please pay for order ORD-1001',
  })

  expect(await pay(parley, shop, id, '--method', 'upi')).toEqual({ paymentRequestId: id, status: 'paid' })
  const { paymentRequest } = (await shop.get('/payment-requests/ORD-1001')).body
  expect(paymentRequest).toMatchObject({ id, status: 'paid', paidPaise: 48_000, paymentMethod: 'upi' })
  const [delivery] = await receiver.wait(1)
  expect(delivery!.body.data).toEqual({
    paymentRequestId: id,
    referenceId: 'ORD-1001',
    conversationId,
    contactId: paymentRequest.contactId,
    totalPaise: 48_000,
    paidPaise: 48_000,
    currency: 'INR',
    paymentMethod: 'upi',
    paidAt: paymentRequest.paidAt,
  })
  expect((await shop.get(`/leads/${phone}`)).body.lead.paidTotal).toBe(480)
  const { entries } = (await shop.get(`/leads/${phone}/timeline`)).body
  expect(entries[0]).toMatchObject({ kind: 'payment_received', data: { referenceId: 'ORD-1001' } })

  // The same customer pays again on the page that is still open: the gateway reports it again, and it counts
  // once.
  await pay(parley, shop, id)
  await shop.advance(60)
  expect((await shop.get(`/leads/${phone}`)).body.lead.paidTotal).toBe(480)
  expect(receiver.received).toHaveLength(1)
})
