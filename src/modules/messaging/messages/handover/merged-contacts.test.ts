/**
 * Queued or in-flight messages whose contact is merged into another
 * (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  accept,
  type CloudShop,
  cloudShop,
  numberIn,
  type StandInOperator,
  standInOperator,
} from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'

const [kept, merged] = ['+919812345678', '+919812345679'] as const
let operator: StandInOperator
let parley: TestParley
let shop: CloudShop<TestWorkspace>

beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})

const send = async (to: string, text: string): Promise<string> => {
  const sent = await shop.post('/send', { to, type: 'text', text })
  expect(sent.status, sent.text).toBe(200)
  return sent.body.messageId
}
const messageOf = async (id: string) => (await shop.get(`/messages/${id}`)).body.message
const arrived = () => operator.taken.filter((call) => numberIn(call.request.url) === shop.operatorId)
/**
 * Creates a shop whose two customers have written, and an operator that delays its answers until they are
 * released.
 */
async function begin() {
  shop = await cloudShop(parley)
  await shop.writesAll([kept, merged])
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  operator.answerFor(shop.operatorId, async (call) => {
    await free
    accept(call)
  })
  return release
}

describe('Messages for a contact that is merged meanwhile', () => {
  test('go out once each, in order, to the number for which they were accepted, and their receipts find them', async () => {
    const release = await begin()
    const ids = [await send(merged, 'First'), await send(merged, 'Second')]
    await until(() => arrived().length > 0, 'the operator has the first message')
    expect((await shop.post(`/contacts/${kept}/merge`, { from: merged })).status).toBe(200)
    ids.push(await send(merged, 'Third'))
    release()
    await until(() => arrived().length === 3, 'all messages are submitted')
    const sends = arrived().map(({ body }) => [body.to, body.text.body])
    expect(sends.filter(([to]) => to === merged)).toEqual([
      [merged, 'First'],
      [merged, 'Second'],
    ])
    // A message accepted after the merge goes to the number of the kept contact.
    expect(sends.filter(([to]) => to !== merged)).toEqual([[kept, 'Third']])
    for (const { chanmid } of arrived())
      await shop.operatorSays({
        statuses: [{ id: chanmid, status: 'delivered', timestamp: String(Date.now()) }],
      })
    await shop.settled()
    const messages = await Promise.all(ids.map(messageOf))
    expect(messages.map((message) => message.status)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(new Set(messages.map((message) => message.conversationId)).size).toBe(1)
  })

  test('are not sent when the kept contact opted out', async () => {
    const release = await begin()
    await shop.writes(kept, 'STOP')
    const ids = [await send(merged, 'First'), await send(merged, 'Second')]
    await until(() => arrived().length > 0, 'the operator has the first message')
    await shop.post(`/contacts/${kept}/merge`, { from: merged })
    release()
    await until(
      async () => (await messageOf(ids[1]!)).status !== 'queued',
      'the second message has its final state',
    )
    expect(await messageOf(ids[1]!)).toMatchObject({ sentAt: null, chanmid: null })
    expect(arrived()).toHaveLength(1)
  })
})
