import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { signIn } from '../../../../../test/support/sessions.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await shop.inbound('+919812300001', 'Is the blue one in stock?')
})
afterAll(() => parley?.close())

test('a message names the member who wrote it in the dashboard; a message of a key or a customer names no member', async () => {
  const ravi = await signIn(parley, shop, 'agent')
  const body = { to: '+919812300001', type: 'text', text: 'Yes' }
  const [byRavi, byKey] = [await ravi.post('/api/v1/send', body), await shop.post('/send', body)]
  const bySender = new Map(
    (await shop.get('/messages')).body.messages.map((message: { id: string; sentBy: string }) => [
      message.id,
      message.sentBy,
    ]),
  )
  expect(bySender.get(byRavi.body.messageId)).toBe(ravi.memberId)
  expect(bySender.get(byKey.body.messageId)).toBeNull()
  expect([...bySender.values()].filter((sender) => sender !== null)).toHaveLength(1)
})
