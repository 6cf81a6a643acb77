import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

const customer = '+919812345678'

test('a customer writes, we answer, and the answer goes from queued to read', async () => {
  const inbound = await shop.inbound(customer, 'Is the blue one in stock?', { name: 'Asha Rao' })
  expect(inbound.body).toMatchObject({ ok: true, from: '919812345678' })
  const contact = (await shop.get(`/contacts/${encodeURIComponent(customer)}`)).body.contact
  expect(contact).toMatchObject({ e164: customer, displayName: 'Asha Rao' })

  const sent = await shop.post('/send', { to: customer, type: 'text', text: 'Yes, in every size.' })
  expect(sent).toMatchObject({ status: 200, body: { ok: true } })
  const states: string[] = []
  for (const seconds of [1, 1, 3]) {
    await shop.advance(seconds)
    states.push((await shop.get(`/messages/${sent.body.messageId}`)).body.message.status)
  }
  expect(states).toEqual(['sent', 'delivered', 'read'])
})
