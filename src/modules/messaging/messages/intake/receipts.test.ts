import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { seedOf } from '../../../../../test/support/seed.ts'
import {
  accept,
  acceptAs,
  type CloudShop,
  cloudShop,
  inbound,
  receipt,
  refuseWith,
  standInOperator,
} from '../../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { until } from '../../../../../test/support/until.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
let shop: CloudShop<TestWorkspace>
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
beforeEach(async () => {
  operator.answer(accept)
  shop = await cloudShop(parley)
})
afterAll(async () => {
  await parley.close()
  await operator.close()
})

const asha = '+919812345678'
const text = (overrides: object = {}) => ({ to: asha, type: 'text', text: 'Yes.', ...overrides })
const messageOf = async (id: string) => (await shop.get(`/messages/${id}`)).body.message
const contactOf = async (ref: string) => (await shop.get(`/contacts/${ref}`)).body.contact
const callsOf = (messageId: string) =>
  operator.taken.filter((call) => call.body.biz_opaque_callback_data === messageId)
const readEvents = () => eventsOf(parley, shop.workspaceId)
const statusesOf = async (messageId: string): Promise<string[]> =>
  (await readEvents())
    .filter((event) => event.name === 'message.status' && event.data.messageId === messageId)
    .map((event) => event.data.status)
const failuresOf = async (messageId: string) =>
  (await readEvents()).filter(
    (event) => event.name === 'message.failed' && event.data.messageId === messageId,
  )

/** Queues a message without waiting for its hand-over. */
async function queue(body: object = text()): Promise<string> {
  const answer = await shop.post('/send', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
/** Hands a message over to the operator. */
const handOver = () => handOverOf(text())
async function handOverOf(body: object): Promise<{ messageId: string; chanmid: string }> {
  const messageId = await queue(body)
  const { chanmid } = await until(async () => {
    const message = await messageOf(messageId)
    return message.chanmid !== null && message
  }, 'the message is submitted')
  return { messageId, chanmid }
}

type State = 'sent' | 'delivered' | 'read' | 'failed'
const STATES: State[] = ['sent', 'delivered', 'read', 'failed']
const permutations = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      )

/** Returns the states that spec 3 announces when the operator reports `states`. */
function announcedStates(states: State[]): State[] {
  const rank = { sent: 1, delivered: 2, read: 3 }
  const reported: State[] = []
  for (const next of states) {
    if (reported.includes('failed')) continue
    const reached = Math.max(0, ...reported.map((state) => rank[state as 'sent']))
    if (next === 'failed' ? reached < rank.delivered : rank[next] > reached) reported.push(next)
  }
  return reported
}

async function expectReported(messageId: string, states: State[]): Promise<void> {
  const reported = announcedStates(states)
  expect(await statusesOf(messageId), states.join(' ')).toEqual(reported)
  expect((await messageOf(messageId)).status, states.join(' ')).toBe(reported.at(-1) ?? 'queued')
  expect(await failuresOf(messageId), states.join(' ')).toHaveLength(reported.includes('failed') ? 1 : 0)
}

describe('statuses never move backwards, each is announced at most once', () => {
  beforeEach(() => shop.writes(asha))

  test('in all orders of sent, delivered, read and failed, each reported twice, one by one', async () => {
    const orders = permutations(STATES)
    expect(orders).toHaveLength(24)
    const messages = await Promise.all(orders.map(handOver))
    const reported: State[][] = orders.map(() => [])
    // In this order each report is followed by a duplicate of the previous one.
    const scripts = orders.map(([a, b, c, d]) => [a, b, a, c, b, d, c, d] as State[])
    for (let turn = 0; turn < 8; turn++) {
      await shop.operatorSays(
        ...messages.map(({ chanmid, messageId }, i) => {
          const state = scripts[i]![turn]!
          reported[i]!.push(state)
          // The operator includes our id in most receipts; the channel's id alone must suffice too.
          return receipt(state, turn % 2 ? { chanmid } : { chanmid, messageId })
        }),
      )
      await shop.settled()
    }
    for (const [i, { messageId }] of messages.entries()) await expectReported(messageId, reported[i]!)
  })

  test('also when all states are reported in one update', async () => {
    const scripts = permutations(STATES).map((order) => [...order, ...order])
    const messages = await Promise.all(scripts.map(handOver))
    await shop.operatorSays(
      ...messages.flatMap((about, i) => scripts[i]!.map((state) => receipt(state, about))),
    )
    await shop.settled()
    for (const [i, { messageId }] of messages.entries()) await expectReported(messageId, scripts[i]!)
  })

  test('for any reports, in any split into updates', async () => {
    const seed = seedOf('receipts')
    const piece = fc.array(fc.constantFrom(...STATES), { maxLength: 4 })
    const scripts = fc.sample(fc.array(piece, { minLength: 4, maxLength: 4 }), { numRuns: 40, seed })
    const messages = await Promise.all(scripts.map(handOver))
    for (let turn = 0; turn < 4; turn++) {
      await shop.operatorSays(
        ...messages.flatMap((about, i) => scripts[i]![turn]!.map((state) => receipt(state, about))),
      )
      await shop.settled()
    }
    for (const [i, { messageId }] of messages.entries()) await expectReported(messageId, scripts[i]!.flat())
  })

  test('read without delivered announces read alone; played counts as read', async () => {
    const about = await handOver()
    await shop.operatorSays(receipt('played', about))
    await shop.settled()
    expect(await statusesOf(about.messageId)).toEqual(['read'])
    const message = await messageOf(about.messageId)
    expect(message).toMatchObject({ status: 'read', error: null })
    expect(message.sentAt).not.toBeNull()
    expect(message.deliveredAt).not.toBeNull()
    await shop.operatorSays(receipt('sent', about), receipt('delivered', about))
    await shop.settled()
    expect(await messageOf(about.messageId)).toEqual(message)
  })

  test('failed after delivered is ignored; a message that failed stays failed', async () => {
    const [delivered, failed] = [await handOver(), await handOver()]
    await shop.operatorSays(receipt('delivered', delivered), receipt('failed', delivered))
    await shop.operatorSays(receipt('failed', failed), receipt('delivered', failed))
    await shop.settled()
    expect(await messageOf(delivered.messageId)).toMatchObject({
      status: 'delivered',
      failedAt: null,
      error: null,
    })
    expect(await messageOf(failed.messageId)).toMatchObject({ status: 'failed', deliveredAt: null })
    expect(await failuresOf(delivered.messageId)).toEqual([])
    expect(await failuresOf(failed.messageId)).toHaveLength(1)
  })

  test('a receipt that arrives before the hand-over is recorded counts', async () => {
    operator.answer(async (call) => {
      const messageId = call.body.biz_opaque_callback_data
      await shop.operatorSays(receipt('sent', { chanmid: call.chanmid, messageId }))
      await until(async () => (await messageOf(messageId)).status === 'sent', 'the receipt is applied')
      accept(call)
    })
    const { messageId, chanmid } = await handOver()
    operator.answer(accept)
    await shop.operatorSays(receipt('delivered', { chanmid }))
    await shop.settled()
    expect(await statusesOf(messageId)).toEqual(['sent', 'delivered'])
    expect(await messageOf(messageId)).toMatchObject({ status: 'delivered', chanmid })
    expect(callsOf(messageId)).toHaveLength(1)
  })

  test('a receipt without our id counts too: it waits for the message that it names', async () => {
    operator.answer(async (call) => {
      const { chanmid } = call
      const ravi = '+919812345679'
      await shop.operatorSays(
        receipt('sent', { chanmid }),
        receipt('delivered', { chanmid }),
        inbound(ravi, 'Hi'),
      )
      await until(
        async () => (await contactOf(ravi)) !== undefined,
        "all updates in the receipts' body are applied",
      )
      accept(call)
    })
    const { messageId } = await handOver()
    await shop.settled()
    expect(await statusesOf(messageId)).toEqual(['sent', 'delivered'])
    expect(callsOf(messageId)).toHaveLength(1)
  })

  test('receipts of messages of other senders or workspaces change nothing', async () => {
    const neighbor = await cloudShop(parley)
    const about = await handOver()
    const before = await messageOf(about.messageId)
    await neighbor.operatorSays(receipt('read', about), receipt('read', { chanmid: 'wamid.nobody' }))
    await neighbor.settled()
    expect(await messageOf(about.messageId)).toEqual(before)
    expect(await eventsOf(parley, neighbor.workspaceId)).toEqual([])
  })

  test('a failure without a reason has the same error in all places', async () => {
    const about = await handOver()
    await shop.operatorSays(receipt('failed', about, []))
    await shop.settled()
    const unexplained = { code: 0, title: 'Failed', message: 'The operator gave no reason.', retryable: true }
    expect((await messageOf(about.messageId)).error).toMatchObject(unexplained)
    const status = (await readEvents()).find((event) => event.name === 'message.status')!
    expect(status.data.errors).toMatchObject([unexplained])
    const [failure] = await failuresOf(about.messageId)
    expect(failure!.data).toMatchObject({ errorCode: 0, errorTitle: 'Failed', retryable: true })
  })

  test("a receipt never changes a customer's message", async () => {
    const [question] = (await shop.get('/messages')).body.messages
    await shop.operatorSays(receipt('failed', { chanmid: question.chanmid, messageId: question.id }))
    await shop.settled()
    expect(await messageOf(question.id)).toEqual(question)
  })
})

describe('the recipient of a message', () => {
  let last = 0
  const freshUser = () => `IN.88${++last}`
  /** Builds a receipt in the format with user ids of customers. */
  const receiptOf = (chanmid: string, userId: string, { waId, ...profile }: Record<string, string> = {}) => ({
    contacts: [{ profile, wa_id: waId, user_id: userId }],
    statuses: receipt('delivered', { chanmid }).statuses.map((status) => ({
      ...status,
      recipient_id: waId,
      recipient_user_id: userId,
    })),
  })
  const withoutNumber = (userId: string, body: string) => ({
    contacts: [{ profile: { name: 'Asha' }, user_id: userId }],
    ...inbound(asha, body, { from: undefined, from_user_id: userId }),
  })
  const waId = asha.slice(1)

  beforeEach(() => shop.writes(asha))

  test('the user id and the names in a receipt are stored, without an event', async () => {
    const { chanmid } = await handOver()
    const userId = freshUser()
    const before = await readEvents()
    await shop.operatorSays(receiptOf(chanmid, userId, { waId, name: 'Asha', username: 'asha_r' }))
    await shop.settled()
    const contact = await contactOf(asha)
    expect(contact).toMatchObject({ phone: asha, userId, username: 'asha_r' })
    expect(await contactOf(`chan:${userId}`)).toEqual(contact)
    expect((await readEvents()).slice(before.length).map((event) => event.name)).toEqual(['message.status'])
  })

  test('a customer who then writes without a number is the same contact, and their STOP counts', async () => {
    const { chanmid } = await handOver()
    const userId = freshUser()
    await shop.operatorSays(receiptOf(chanmid, userId, { waId }))
    await shop.operatorSays(withoutNumber(userId, 'STOP'))
    await shop.settled()
    expect(await contactOf(asha)).toMatchObject({ userId, optInStatus: 'opted_out' })
    expect((await shop.post('/send', text())).body.error).toBe('contact_opted_out')
  })

  test('known data of a contact stays, and no contact loses a user id to another number', async () => {
    const [first, second] = [freshUser(), freshUser()]
    const { chanmid } = await handOver()
    await shop.operatorSays(receiptOf(chanmid, first, { waId, username: 'asha_r' }))
    await shop.operatorSays(receiptOf(chanmid, second, { waId, username: 'somebody' }))
    await shop.settled()
    expect(await contactOf(asha)).toMatchObject({ userId: first, username: 'asha_r' })
    const other = '+919812345679'
    await shop.writes(other)
    const otherMessage = await handOverOf(text({ to: other }))
    await shop.operatorSays(receiptOf(otherMessage.chanmid, first, { waId: other.slice(1) }))
    await shop.settled()
    expect(await contactOf(asha)).toMatchObject({ userId: first })
    expect(await contactOf(other)).toMatchObject({ userId: null })
  })

  test('a customer without a number gets the number that a receipt names', async () => {
    const userId = freshUser()
    await shop.operatorSays(withoutNumber(userId, 'Hi'))
    await shop.settled()
    const { id } = await contactOf(`chan:${userId}`)
    const { chanmid } = await handOverOf(text({ to: `chan:${userId}` }))
    await shop.operatorSays(receiptOf(chanmid, userId, { waId: '919812345680' }))
    await shop.settled()
    expect(await contactOf('+919812345680')).toMatchObject({ id, userId })
  })
})

describe("a number in the operator's other spelling", () => {
  const stored = '+5511987654321'
  const operatorPhone = '+551187654321'
  beforeEach(async () => {
    await shop.writes(stored)
    operator.answer(acceptAs(operatorPhone.slice(1)))
    await handOverOf(text({ to: stored }))
    // The second message is sent after the first answer was stored.
    await handOverOf(text({ to: stored }))
  })

  test('is the same contact, with the same window, STOP and chat', async () => {
    const { id } = await contactOf(stored)
    expect(await contactOf(operatorPhone)).toMatchObject({ id, phone: stored })
    await shop.writes(operatorPhone, 'STOP')
    expect((await shop.get('/contacts')).body.contacts).toMatchObject([{ id, optInStatus: 'opted_out' }])
    expect((await shop.get('/conversations')).body.conversations).toHaveLength(1)
    for (const to of [stored, operatorPhone])
      expect((await shop.post('/send', text({ to }))).body.error, to).toBe('contact_opted_out')
  })

  test('is reached under either spelling, as one contact', async () => {
    const { messageId } = await handOverOf(text({ to: operatorPhone }))
    expect((await messageOf(messageId)).contactId).toBe((await contactOf(stored)).id)
    expect(callsOf(messageId)[0]!.body.to).toBe(stored)
  })

  test('of a country without known spellings is the same contact through all channels from then on', async () => {
    const [stored, spelling] = ['+491511234567', '+4915112345670']
    await shop.writes(stored)
    operator.answer(acceptAs(spelling.slice(1)))
    await handOverOf(text({ to: stored }))
    await handOverOf(text({ to: stored }))
    const { id } = await contactOf(stored)
    expect((await shop.post('/contacts', { phone: spelling })).body).toMatchObject({
      created: false,
      contact: { id },
    })
    const { results } = (await shop.post('/contacts/bulk', { contacts: [{ phone: spelling }] })).body
    expect(results[0].contactId).toBe(id)
    expect((await shop.post('/leads', { phone: spelling })).body.lead.phone).toBe(stored.slice(1))
    expect((await shop.post('/conversations', { phone: spelling })).body.conversation.contact.id).toBe(id)
    expect(
      (await shop.get('/contacts')).body.contacts.filter((contact: Body) => contact.id !== id),
    ).toHaveLength(1)
  })

  test('brings two stored contacts together', async () => {
    const [first, other] = ['+491511234568', '+4915112345680']
    await shop.writes(first)
    await shop.writes(other, 'STOP')
    operator.answer(acceptAs(other.slice(1)))
    await handOverOf(text({ to: first }))
    await until(
      async () => (await contactOf(first)).id === (await contactOf(other)).id,
      'the contacts are one',
    )
    expect((await contactOf(first)).optInStatus).toBe('opted_out')
    expect((await shop.post('/send', text({ to: first }))).body.error).toBe('contact_opted_out')
  })

  test('is ignored if it is a different number', async () => {
    const { id } = await contactOf(stored)
    operator.answer(acceptAs('551187654322'))
    await handOverOf(text({ to: stored }))
    await handOverOf(text({ to: stored }))
    await shop.writes('+551187654322')
    expect((await contactOf('+551187654322')).id).not.toBe(id)
  })
})

describe('handing over', () => {
  beforeEach(() => shop.writes(asha))

  test('replyTo, the text, the number and our id reach the operator', async () => {
    const [question] = (await shop.get('/messages')).body.messages
    const messageId = await queue(text({ replyTo: question.chanmid, text: 'Yes, in blue.' }))
    const [call] = await until(() => {
      const calls = callsOf(messageId)
      return calls.length > 0 && calls
    }, 'the operator has it')
    expect(call!.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: asha,
      type: 'text',
      text: { body: 'Yes, in blue.' },
      context: { message_id: question.chanmid },
      biz_opaque_callback_data: messageId,
    })
  })

  test('a customer without a number is reached as `recipient`', async () => {
    const from = { from: undefined, from_user_id: 'IN.77' }
    await shop.writes('', 'hello', from)
    const messageId = await queue(text({ to: 'chan:IN.77' }))
    const [call] = await until(() => {
      const calls = callsOf(messageId)
      return calls.length > 0 && calls
    }, 'the operator has it')
    expect(call!.body).toMatchObject({ recipient: 'IN.77' })
    expect(call!.body.to).toBeUndefined()
  })

  test('messages that the operator refuses for good fail, each with message.status and message.failed', async () => {
    operator.answer(
      refuseWith(400, { code: 131026, type: 'OAuthException', message: '(#131026) Undeliverable' }),
    )
    const ids = [await queue(), await queue(), await queue()]
    for (const id of ids) {
      await until(async () => (await messageOf(id)).status === 'failed', 'the message failed')
      expect(await messageOf(id)).toMatchObject({ chanmid: null, error: { code: 131026, permanent: true } })
      expect(await statusesOf(id)).toEqual(['failed'])
      expect((await failuresOf(id)).map((event) => event.data)).toMatchObject([
        { messageId: id, chanmid: null, errorCode: 131026, permanent: true, retryable: false },
      ])
      expect(callsOf(id)).toHaveLength(1)
    }
  })

  test('an echo of a message that Parley sent changes nothing, and an echo of another message is stored once', async () => {
    const { messageId, chanmid } = await handOver()
    await shop.settled()
    const list = async (): Promise<Body[]> => (await shop.get('/messages?limit=100')).body.messages
    const [before, eventsBefore] = [await list(), (await readEvents()).length]
    const echo = (id: string, body: string) => ({
      to: asha.slice(1),
      id,
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: 'text',
      text: { body },
    })
    const report = async (...message_echoes: object[]) => {
      await shop.operatorSaysOf('smb_message_echoes', { message_echoes })
      await shop.settled()
    }
    await report(echo(chanmid, 'Yes.'))
    await report(echo(chanmid, 'Yes.'), echo(chanmid, 'Yes.'))
    expect(await list()).toEqual(before)
    expect((await readEvents()).length).toBe(eventsBefore)
    const typed = `wamid.${randomUUID()}`
    await report(echo(typed, 'By hand'), echo(typed, 'By hand'))
    await report(echo(typed, 'By hand'), echo(chanmid, 'Yes.'))
    const added = (await list()).filter(({ id }) => !before.some((message) => message.id === id))
    expect(added).toMatchObject([{ text: 'By hand', direction: 'outbound', status: 'sent', chanmid: typed }])
    expect(await messageOf(messageId)).toMatchObject({ text: 'Yes.', chanmid })
  })

  test('a deleted template message keeps no content', async () => {
    await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'It is on its way.' }] })
    const { messageId, chanmid } = await handOverOf({
      to: asha,
      type: 'template',
      payload: { type: 'template', template: { name: 'order_ok', language: { code: 'en_US' } } },
    })
    expect((await messageOf(messageId)).text).toBe('It is on its way.')
    await shop.operatorSaysOf('smb_message_echoes', {
      message_echoes: [
        {
          to: asha.slice(1),
          id: `wamid.${randomUUID()}`,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'revoke',
          revoke: { original_message_id: chanmid },
        },
      ],
    })
    await shop.settled()
    expect(await messageOf(messageId)).toMatchObject({
      content: {},
      text: null,
      deletedAt: expect.any(String),
    })
  })

  test('throttled messages are tried again after the time that the operator names', async () => {
    operator.answer((call) =>
      callsOf(call.body.biz_opaque_callback_data).length === 1
        ? refuseWith(429, { code: 130429, message: 'Rate limit hit' }, { 'retry-after': '1' })(call)
        : accept(call),
    )
    const { messageId } = await handOver()
    expect(callsOf(messageId)).toHaveLength(2)
    expect(await statusesOf(messageId)).toEqual([])
  })

  test('a message with an unknown outcome is never sent twice: the receipt decides', async () => {
    operator.answer(({ request }) => {
      request.socket.destroy()
    })
    const messageId = await queue()
    const [call] = await until(() => {
      const calls = callsOf(messageId)
      return calls.length > 0 && calls
    }, 'the operator has it')
    operator.answer(accept)
    await shop.operatorSays(receipt('sent', { chanmid: call!.chanmid, messageId }))
    await shop.settled()
    await runOutLeases()
    await handOver()
    expect(callsOf(messageId)).toHaveLength(1)
    expect(await messageOf(messageId)).toMatchObject({ status: 'sent', chanmid: call!.chanmid })
  })

  test('without a receipt it fails as unconfirmed, and a later receipt of failure changes nothing', async () => {
    operator.answer(({ request }) => {
      request.socket.destroy()
    })
    const ids = [await queue(), await queue()]
    await until(() => ids.every((id) => callsOf(id).length > 0), 'the operator has the messages')
    operator.answer(accept)
    for (const id of ids) {
      // A call may only end, and its lease be extended, after the operator received it.
      await until(async () => {
        await runOutLeases()
        return (await messageOf(id)).status === 'failed'
      }, 'the update is given up')
      expect(callsOf(id)).toHaveLength(1)
      expect(await failuresOf(id)).toHaveLength(1)
      expect((await failuresOf(id))[0]!.data).toMatchObject({ errorTitle: 'Unconfirmed', permanent: false })
    }
    await shop.operatorSays(
      ...ids.map((messageId) => receipt('failed', { chanmid: 'wamid.late', messageId })),
    )
    await shop.settled()
    for (const id of ids) expect(await statusesOf(id)).toEqual(['failed'])
  })

  /** Simulates that the leases of the calls under way have expired. */
  const runOutLeases = async () => {
    // Only calls without a recorded end are still leased; the others have settled by then.
    await parley.system((tx) =>
      tx.sql(
        `update messages set leased_until = leased_until - interval '2 minutes'
         where workspace_id = $1 and leased_until is not null`,
        [shop.workspaceId],
      ),
    )
  }

  test('the waiting messages of a removed number fail', async () => {
    operator.answer(refuseWith(429, { code: 130429, message: 'Rate limit hit' }, { 'retry-after': '600' }))
    const ids = [await queue(), await queue()]
    await until(() => ids.some((id) => callsOf(id).length > 0), 'the operator has rejected one message')
    await parley.system((tx) =>
      tx.sql('delete from phone_numbers where workspace_id = $1', [shop.workspaceId]),
    )
    await until(async () => {
      await parley.system((tx) =>
        tx.sql('update messages set run_at = $2 where workspace_id = $1 and leased_until is null', [
          shop.workspaceId,
          new Date(),
        ]),
      )
      return (await Promise.all(ids.map(messageOf))).every((message) => message.status === 'failed')
    }, 'the messages failed')
    for (const id of ids) expect(await statusesOf(id)).toEqual(['failed'])
  })
})

describe('a customer who writes', () => {
  test('is reported once, even if the operator repeats the report: one message, one message.received', async () => {
    const update = inbound(asha, 'hello')
    await shop.operatorSays(update, update)
    await shop.operatorSays(update)
    await shop.settled()
    await shop.operatorSays(update)
    await shop.settled()
    expect((await readEvents()).map((event) => event.name)).toEqual([
      'contact.created',
      'conversation.opened',
      'message.received',
    ])
    expect((await shop.get('/messages')).body.messages).toHaveLength(1)
  })

  test('several messages in one update arrive in order', async () => {
    const update = { messages: Array.from({ length: 5 }, (_, i) => inbound(asha, `${i + 1}`).messages[0]) }
    await shop.operatorSays(update)
    await shop.settled()
    const received = (await readEvents()).filter((event) => event.name === 'message.received')
    expect(received.map((event) => event.data.content.body)).toEqual(['1', '2', '3', '4', '5'])
    expect(new Set(received.map((event) => event.data.messageId)).size).toBe(5)
  })

  test('a message and a receipt in one update both count', async () => {
    await shop.writes(asha)
    const about = await handOver()
    await shop.operatorSays({ ...inbound(asha, 'Thanks!'), ...receipt('read', about) })
    await shop.settled()
    expect(await statusesOf(about.messageId)).toEqual(['read'])
    expect((await shop.get('/messages')).body.messages[0].content).toEqual({ body: 'Thanks!' })
  })

  test('an update that cannot be parsed is set aside and blocks nothing', async () => {
    await shop.operatorSays(
      { messages: [{ id: `wamid.${randomUUID()}`, type: 'hologram' }] },
      { statuses: 'nonsense' },
      { messages: [{ from: '919812345678', timestamp: 'never', type: 'text' }] },
      inbound(asha, 'still here'),
    )
    await shop.settled()
    expect((await shop.get('/messages')).body.messages).toHaveLength(1)
  })
})
