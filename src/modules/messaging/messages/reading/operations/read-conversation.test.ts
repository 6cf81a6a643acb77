import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../../test/support/boot.ts'
import {
  accept,
  type CloudShop,
  cloudShop,
  inbound,
  refuseWith,
  standInOperator,
} from '../../../../../../test/support/stand-in-operator.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
let shop: CloudShop<TestWorkspace>
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
beforeEach(async () => {
  shop = await cloudShop(parley)
  operator.answer(success)
})
afterAll(async () => {
  await parley.close()
  await operator.close()
})

const asha = '+919812345678'
const success: Parameters<typeof operator.answer>[0] = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: true }))
}

/** Returns the read marks that the operator received for the shop's messages, by their channel ids. */
const reported = async () => {
  const chanmids = (await shop.get('/messages')).body.messages.map(
    (message: { chanmid: string }) => message.chanmid,
  )
  return operator.taken.map(({ body }) => body).filter((body) => chanmids.includes(body.message_id))
}
const conversation = async () => (await shop.get('/conversations')).body.conversations[0]
const latestChanmid = async () => (await shop.get('/messages?limit=1')).body.messages[0].chanmid

describe('POST /conversations/{id}/read', () => {
  test("marks the customer's messages as read at the operator: the latest, which marks all before it", async () => {
    for (const text of ['hello', 'anybody?']) await shop.writes(asha, text)
    const before = await conversation()
    expect(before).toMatchObject({ unreadCount: 2, lastReadAt: null })
    const answer = await shop.post(`/conversations/${before.id}/read`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.conversation).toMatchObject({ id: before.id, unreadCount: 0 })
    expect(Date.parse(answer.body.conversation.lastReadAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(await conversation()).toMatchObject(answer.body.conversation)
    expect(await reported()).toEqual([
      { messaging_product: 'whatsapp', status: 'read', message_id: await latestChanmid() },
    ])
  })

  test('a later message is unread again; a reply of ours marks nothing as read', async () => {
    await shop.writes(asha)
    const { id } = await conversation()
    await shop.post(`/conversations/${id}/read`)
    await shop.operatorSays(inbound(asha, 'one more'), inbound(asha, 'and another'))
    await shop.settled()
    operator.answer(accept)
    expect((await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })).status).toBe(200)
    expect(await conversation()).toMatchObject({ unreadCount: 2 })
  })

  test('the operator is notified once for each message; typing: true requests the indicator every time', async () => {
    await shop.writes(asha)
    const path = `/conversations/${(await conversation()).id}/read`
    for (const body of [undefined, {}, { typing: false }, { typing: true }, { typing: true }])
      expect((await shop.post(path, body)).status).toBe(200)
    const typing = { typing_indicator: { type: 'text' } }
    const plain = { messaging_product: 'whatsapp', status: 'read', message_id: await latestChanmid() }
    expect(await reported()).toEqual([plain, { ...plain, ...typing }, { ...plain, ...typing }])
    await shop.writes(asha, 'one more')
    await shop.post(path)
    expect(await reported()).toHaveLength(4)
  })

  test("the operator's refusal is the answer; the chat counts as read in Parley, and the next call notifies the operator", async () => {
    await shop.writes(asha)
    const { id } = await conversation()
    operator.answer(refuseWith(400, { code: 131009, message: '(#131009) Parameter value is not valid' }))
    const key = { idempotencyKey: randomUUID() }
    const refused = await shop.post(`/conversations/${id}/read`, {}, key)
    expect(refused).toMatchObject({ status: 400, body: { error: 'meta_error', code: 131009 } })
    expect(await conversation()).toMatchObject({ unreadCount: 0, lastReadAt: expect.any(String) })
    operator.answer(success)
    expect((await shop.post(`/conversations/${id}/read`)).status).toBe(200)
    expect(await reported()).toHaveLength(2)
    await shop.post(`/conversations/${id}/read`)
    expect(await reported()).toHaveLength(2)
  })

  test('an operator that closes the connection is no fault of the conversation', async () => {
    await shop.writes(asha)
    const { id } = await conversation()
    operator.answer(({ response }) => void response.destroy())
    const answer = await shop.post(`/conversations/${id}/read`)
    expect(answer).toMatchObject({ status: 429, body: { error: 'meta_error' } })
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(await conversation()).toMatchObject({ unreadCount: 0 })
  })

  test('without a message of the customer, or without any for 30 days, the operator is not notified', async () => {
    const { id } = (await shop.post('/conversations', { phone: asha })).body.conversation
    const withoutTyping = await shop.post(`/conversations/${id}/read`, { typing: true })
    expect(withoutTyping).toMatchObject({ status: 200, body: { conversation: { unreadCount: 0 } } })
    await shop.writes(asha)
    await parley.system((tx) =>
      tx.sql(
        "update conversations set last_inbound_at = last_inbound_at - interval '31 days' where id = $1",
        [id],
      ),
    )
    expect((await shop.post(`/conversations/${id}/read`)).body.conversation.unreadCount).toBe(0)
    expect(await reported()).toEqual([])
  })

  test('reading while messages arrive loses none: later messages stay unread', async () => {
    await shop.writes(asha)
    const { id } = await conversation()
    const arriving = Array.from({ length: 20 }, (_, i) => shop.operatorSays(inbound(asha, `${i}`)))
    await Promise.all([
      ...arriving,
      ...Array.from({ length: 20 }, () => shop.post(`/conversations/${id}/read`)),
    ])
    await shop.settled()
    expect((await shop.post(`/conversations/${id}/read`)).body.conversation.unreadCount).toBe(0)
    await shop.writes(asha, 'last')
    expect((await conversation()).unreadCount).toBe(1)
  })

  test('a sandbox number supports it too', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    await sandbox.inbound(asha, 'hello')
    const [{ id }] = (await sandbox.get('/conversations')).body.conversations
    const answer = await sandbox.post(`/conversations/${id}/read`, { typing: true })
    expect(answer).toMatchObject({ status: 200, body: { conversation: { unreadCount: 0 } } })
  })

  test('an unknown conversation is 404, and a bad field 400', async () => {
    await shop.writes(asha)
    const { id } = await conversation()
    for (const other of [randomUUID(), 'x'])
      expect(await shop.post(`/conversations/${other}/read`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
    const answer = await shop.post(`/conversations/${id}/read`, { typing: 'yes' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path: 'typing' }] } })
  })
})
