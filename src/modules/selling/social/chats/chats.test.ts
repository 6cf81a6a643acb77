import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type Client, type TestParley } from '../../../../../test/support/boot.ts'
import {
  answerPosts,
  bodyOf,
  type PhotoNetwork,
  startPhotoNetwork,
} from '../../../../../test/support/photo-network.ts'
import {
  armSocialFault,
  atNetwork,
  type ChatStarted,
  customerWrites,
  openSocialShop,
  type SocialShop,
} from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { writeDm } from '../../../../social-network/simulator/customers.ts'

let parley: TestParley
let shop: SocialShop
let network: PhotoNetwork

beforeAll(async () => {
  network = await startPhotoNetwork()
  parley = await boot({ env: network.env })
  shop = await openSocialShop(parley)
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
})
afterEach(() => network.calls.between())

const newName = (): string => `asha_${randomUUID().slice(0, 8)}`
const writes = (more: object = {}): Promise<ChatStarted> =>
  customerWrites(parley, shop, { from: newName(), text: 'Is this in stock?', ...more })
const send = (conversationId: string, text = 'It is.', options: object = {}) =>
  shop.post('/social/send', { conversationId, text }, options)
const messagesOf = async (conversationId: string, client: Client = shop): Promise<Body[]> =>
  (await client.get(`/social/conversations/${conversationId}/messages`)).body.messages
const ours = async (conversationId: string): Promise<Body[]> =>
  (await messagesOf(conversationId)).filter(({ direction }) => direction === 'outbound')

describe('GET /social/conversations (spec 4.6)', () => {
  test('direct chats, each with whether the 24-hour reply window is open', async () => {
    const open = await writes()
    const closedChat = await writes({ agoSeconds: 86_400 })
    const { status, body } = await shop.get('/social/conversations?limit=2')
    expect(status).toBe(200)
    expect(body.conversations).toMatchObject([
      { id: closedChat.conversationId, windowOpen: false, window: { open: false } },
      {
        id: open.conversationId,
        contact: {
          id: expect.any(String),
          name: expect.stringContaining('asha_'),
          e164: `sx:${open.customerId}`,
        },
        windowOpen: true,
        window: { open: true, expiresAt: expect.any(String) },
        leadId: null,
      },
    ])
    const { windowExpiresAt, lastInboundAt } = body.conversations[1]
    expect(Date.parse(windowExpiresAt) - Date.parse(lastInboundAt)).toBe(86_400_000)
  })

  test('cursor-paginated by latest activity (spec 2.1)', async () => {
    const started = [await writes(), await writes(), await writes()]
    const first = (await shop.get('/social/conversations?limit=2')).body
    const second = (await shop.get(`/social/conversations?limit=1&cursor=${first.nextCursor}`)).body
    expect([...first.conversations, ...second.conversations].map(({ id }: Body) => id)).toEqual(
      started.map((chat) => chat.conversationId).reverse(),
    )
    expect(await shop.get('/social/conversations?cursor=7')).toMatchObject({ status: 400 })
    expect(await shop.get('/social/conversations?limit=101')).toMatchObject({ status: 400 })
  })

  test('a late report of an older message does not shorten the window', async () => {
    const from = newName()
    const { conversationId } = await writes({ from })
    await writes({ from, agoSeconds: 90_000 })
    const { body } = await shop.get(`/social/conversations/${conversationId}/messages`)
    expect(body.conversation.windowOpen).toBe(true)
  })

  test('a network whose clock runs ahead does not extend it', async () => {
    const { conversationId } = await writes({ agoSeconds: -7_200 })
    const { body } = await shop.get(`/social/conversations/${conversationId}/messages`)
    expect(Date.parse(body.conversation.windowExpiresAt)).toBeLessThan(Date.now() + 86_400_000)
  })
})

describe('GET /social/conversations/{id}/messages', () => {
  test('one chat and its messages, newest first', async () => {
    const from = newName()
    const { conversationId, messageId, mid } = await writes({ from, text: 'First' })
    await writes({ from, text: 'Second', photos: 2 })
    const { body } = await shop.get(`/social/conversations/${conversationId}/messages?limit=2`)
    expect(body.conversation.id).toBe(conversationId)
    expect(body.messages).toMatchObject([
      { type: 'image', content: { url: expect.stringContaining('/2.jpg') } },
      { type: 'image', content: { url: expect.stringContaining('/1.jpg'), text: 'Second' } },
    ])
    const path = `/social/conversations/${conversationId}/messages?cursor=${body.nextCursor}`
    expect((await shop.get(path)).body).toMatchObject({
      messages: [{ id: messageId, mid, type: 'text', content: { text: 'First' }, status: 'received' }],
      nextCursor: null,
    })
  })

  test.each(['7', randomUUID()])('%s is not a chat', async (id) =>
    expect(await shop.get(`/social/conversations/${id}/messages`)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    }),
  )
})

describe('POST /social/send (spec 4.6)', () => {
  test("replies in a chat; the answer has the network's id of the message", async () => {
    const { conversationId } = await writes()
    const { status, body } = await send(conversationId)
    expect(status).toBe(200)
    expect(body).toEqual({ ok: true, messageId: expect.any(String), mid: expect.any(String) })
    expect(await ours(conversationId)).toMatchObject([
      {
        id: body.messageId,
        mid: body.mid,
        status: 'sent',
        content: { text: 'It is.' },
        sentAt: expect.any(String),
      },
    ])
    // The network reports it too, but it is stored once.
    await waitUntilSettled()
    expect(await ours(conversationId)).toHaveLength(1)
    const { body: list } = await shop.get('/social/conversations?limit=1')
    expect(list.conversations[0]).toMatchObject({ id: conversationId, lastMessageAt: expect.any(String) })
  })

  test('only within 24 hours of the customer’s last message, else 422 outside_24h_window', async () => {
    const { conversationId } = await writes({ agoSeconds: 86_400 })
    expect(await send(conversationId)).toMatchObject({
      status: 422,
      body: { error: 'outside_24h_window', message: expect.stringContaining('24-hour window') },
    })
    expect(await ours(conversationId)).toEqual([])
    const { conversationId: just } = await writes({ agoSeconds: 86_395 - 60 })
    expect(await send(just)).toMatchObject({ status: 200 })
  })

  test('the network may refuse because the window is closed there', async () => {
    const { conversationId, customerId } = await writes()
    await atNetwork(parley, shop, async (store, account) => {
      const customer = (await store.find(customerId))!
      await store.keep(account, { ...customer, value: { ...customer.value, wroteAtMs: 0 } })
    })
    expect(await send(conversationId)).toMatchObject({ status: 422, body: { error: 'outside_24h_window' } })
    expect(await ours(conversationId)).toEqual([])
  })

  test('a customer who opted out gets no message', async () => {
    const { conversationId, customerId } = await writes()
    await shop.patch(`/contacts/sx:${customerId}`, { optInStatus: 'opted_out' })
    expect(await send(conversationId)).toMatchObject({ status: 409, body: { error: 'contact_opted_out' } })
  })

  test.each([
    [{ text: 'Hi' }, 'conversationId'],
    [{ conversationId: '7', text: 'Hi' }, 'conversationId'],
    [{ conversationId: randomUUID() }, 'text'],
    [{ conversationId: randomUUID(), text: ' ' }, 'text'],
    [{ conversationId: randomUUID(), text: 'é'.repeat(501) }, 'text'],
    [{ conversationId: randomUUID(), text: 'Hi', to: '1' }, 'to'],
  ])('%j is 400 naming the field', async (body, field) => {
    const answer = await shop.post('/social/send', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.text).toContain(field)
  })

  test('1,000 bytes of UTF-8 are sent', async () => {
    const { conversationId } = await writes()
    expect(await send(conversationId, 'é'.repeat(500))).toMatchObject({ status: 200 })
  })

  test('an unknown chat is 404', async () =>
    expect(await send(randomUUID())).toMatchObject({ status: 404, body: { error: 'not_found' } }))

  test("the network's refusal is returned in its own words, and nothing is stored", async () => {
    const { conversationId } = await writes()
    await armSocialFault(parley, shop, 'refuse')
    expect(await send(conversationId)).toMatchObject({
      status: 400,
      body: { error: 'meta_error', code: 368, message: expect.any(String) },
    })
    expect(await ours(conversationId)).toEqual([])
    expect(await send(conversationId)).toMatchObject({ status: 200 })
  })

  test('a retry with the same key gets the first answer', async () => {
    const { conversationId } = await writes()
    const idempotencyKey = randomUUID()
    const first = await send(conversationId, 'It is.', { idempotencyKey })
    const repeated = await send(conversationId, 'It is.', { idempotencyKey })
    expect(repeated).toMatchObject({ status: 200, body: first.body })
    expect(repeated.headers['idempotent-replayed']).toBe('true')
    expect(await ours(conversationId)).toHaveLength(1)
    expect(await send(conversationId, 'Another.', { idempotencyKey })).toMatchObject({ status: 422 })
  })
})

test('a deadlock while recording the result is not an error: the message was sent, once', async () => {
  const { conversationId } = await writes()
  // Sequences keep their value when a transaction is rolled back.
  for (const statement of [
    'create sequence deadlocks',
    `create function deadlock_once() returns trigger language plpgsql security definer as $$ begin
       if nextval('deadlocks') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
       return new;
     end $$`,
    `create trigger deadlock_once before update on social_messages
     for each row when (new.status = 'sent' and old.status <> 'sent') execute function deadlock_once()`,
  ])
    await parley.system((tx) => tx.sql(statement))
  onTestFinished(async () => {
    await parley.system((tx) => tx.sql('drop trigger deadlock_once on social_messages'))
  })
  const sent = await send(conversationId)
  expect(sent.status, sent.text).toBe(200)
  expect(await ours(conversationId)).toMatchObject([{ status: 'sent', content: { text: 'It is.' } }])
})

describe('no answer from the network: 502 send_unconfirmed', () => {
  test('the message may have been sent; a retry with the same key gets this answer and sends nothing', async () => {
    const { conversationId } = await writes()
    const idempotencyKey = randomUUID()
    await armSocialFault(parley, shop, 'no-answer')
    const first = await send(conversationId, 'It is.', { idempotencyKey })
    expect(first).toMatchObject({ status: 502, body: { error: 'send_unconfirmed' } })
    const repeated = await send(conversationId, 'It is.', { idempotencyKey })
    expect(repeated).toMatchObject({ status: 502, body: first.body })
    expect(repeated.headers['idempotent-replayed']).toBe('true')
    // It had been sent: the network's report settles it.
    await until(
      async () => (await ours(conversationId))[0]?.status === 'sent',
      'the report has confirmed the message',
    )
    expect(await ours(conversationId)).toMatchObject([
      { mid: expect.any(String), content: { text: 'It is.' } },
    ])
    expect(await send(conversationId, 'It is.', { idempotencyKey })).toMatchObject({ status: 502 })
  })

  test('two equal messages are settled by a report each', async () => {
    const { conversationId } = await writes()
    await armSocialFault(parley, shop, 'no-answer', 2)
    await Promise.all([send(conversationId, 'Yes'), send(conversationId, 'Yes')])
    await until(
      async () => (await ours(conversationId)).every(({ status }) => status === 'sent'),
      'the reports have confirmed the messages',
    )
    const sent = await ours(conversationId)
    expect(new Set(sent.map(({ mid }) => mid)).size).toBe(2)
    expect(sent).toHaveLength(2)
  })
})

describe('an answer with an error of the network', () => {
  /**
   * Creates a shop with an account at the simulated network, and its chat with a customer who has just
   * written.
   */
  async function chatOutside() {
    const outside = await parley.workspace()
    const { simulated, report } = await network.connect(parley, outside)
    await writeDm(network.store, simulated, { from: newName(), text: 'Hi' })
    await report(bodyOf(simulated, network.events.at(-1)!.event))
    const [chat] = (await outside.get('/social/conversations')).body.conversations
    const idempotencyKey = randomUUID()
    return {
      send: () =>
        outside.post('/social/send', { conversationId: chat.id, text: 'Hello' }, { idempotencyKey }),
      /** Returns the messages that the network received. */
      sent: () =>
        network.calls.recorded.filter(({ path }) => path.endsWith(`/${simulated.networkId}/messages`)),
    }
  }

  test.each([
    [500, { code: 2, is_transient: true }],
    [503, { code: 1 }],
    [408, { code: -2 }],
    [500, { message: 'An unknown error occurred' }],
    [504, { code: 100, is_transient: true }],
  ])(
    '%i %j is not a final answer: 502 send_unconfirmed, and the same key sends nothing',
    async (status, error) => {
      const { send, sent } = await chatOutside()
      network.calls.between(answerPosts(status, { error }))
      const first = await send()
      expect(first).toMatchObject({ status: 502, body: { error: 'send_unconfirmed' } })
      network.calls.between()
      expect(await send()).toMatchObject({ status: 502, body: first.body })
      expect(sent()).toHaveLength(1)
    },
  )

  test.each([
    [500, { code: 190 }, 409, 'reconnect_required'],
    [500, { code: 10, error_subcode: 2534022 }, 422, 'outside_24h_window'],
    [503, { code: 613 }, 429, 'meta_error'],
    [500, { code: 100 }, 400, 'meta_error'],
    [400, { code: 2, is_transient: true }, 429, 'meta_error'],
  ])('%i %j means that nothing was sent: %i %s', async (status, error, expected, code) => {
    const { send } = await chatOutside()
    network.calls.between(answerPosts(status, { error }))
    expect(await send()).toMatchObject({ status: expected, body: { error: code } })
  })
})

test("a message with a number as the network's id was sent", async () => {
  const outside = await parley.workspace()
  const { simulated, report } = await network.connect(parley, outside)
  await writeDm(network.store, simulated, { from: newName(), text: 'Hi' })
  await report(bodyOf(simulated, network.events.at(-1)!.event))
  const [chat] = (await outside.get('/social/conversations')).body.conversations
  const bytes = Buffer.from('{"recipient_id":1254459154682919,"message_id":12345678901234567890}')
  network.calls.between(async () => ({ status: 200, type: 'application/json', bytes }))
  const sent = await outside.post('/social/send', { conversationId: chat.id, text: 'Hello' })
  network.calls.between()
  expect(sent).toMatchObject({ status: 200, body: { mid: '12345678901234567890' } })
})

describe('an expired token', () => {
  test('asks to connect the account again, and nothing is sent until then', async () => {
    const other = await openSocialShop(parley)
    const { conversationId } = await customerWrites(parley, other, { from: newName(), text: 'Hi' })
    await armSocialFault(parley, other, 'token-expired')
    const body = { conversationId, text: 'Hello' }
    const required = { status: 409, body: { error: 'reconnect_required' } }
    expect(await other.post('/social/send', body)).toMatchObject(required)
    // The network is no longer called.
    expect(await other.post('/social/send', body)).toMatchObject(required)
    expect(await other.get('/social/conversations')).toMatchObject({ status: 200 })
    await other.reconnect()
    expect(await other.post('/social/send', body)).toMatchObject({ status: 200 })
  })

  test('is not a final result: once the account is connected again, the same key sends', async () => {
    const other = await openSocialShop(parley)
    const { conversationId } = await customerWrites(parley, other, { from: newName(), text: 'Hi' })
    await armSocialFault(parley, other, 'token-expired')
    const idempotencyKey = randomUUID()
    const send = () => other.post('/social/send', { conversationId, text: 'Hello' }, { idempotencyKey })
    for (const _ of ['asked', 'not even asked'])
      expect(await send()).toMatchObject({ status: 409, body: { error: 'reconnect_required' } })
    await other.reconnect()
    expect(await send()).toMatchObject({ status: 200 })
    expect(await send()).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    const messages = await messagesOf(conversationId, other)
    expect(messages.filter(({ direction }) => direction === 'outbound')).toHaveLength(1)
  })
})

describe('rights', () => {
  test('any key with social:read may read, an agent with social:write may reply (spec 4.6)', async () => {
    const { conversationId } = await writes()
    const path = '/social/conversations'
    expect(await (await shop.as('viewer')).get(path)).toMatchObject({ status: 200 })
    expect(await (await shop.as('admin', { scopes: ['crm:read'] })).get(path)).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', required: 'social:read' },
    })
    const body = { conversationId, text: 'Hi' }
    expect(await (await shop.as('viewer')).post('/social/send', body)).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    expect(await (await shop.as('agent')).post('/social/send', body)).toMatchObject({ status: 200 })
  })
})

const waitUntilSettled = (): Promise<unknown> =>
  until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ waiting: number }>('select count(*)::int as waiting from social_updates'),
    )
    return row?.waiting === 0
  }, 'the reports were applied')
