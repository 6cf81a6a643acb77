import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { makeReceivers } from '../../../../test/support/receiver.ts'
import { eventsOf, everythingOf } from '../../../../test/support/records.ts'
import { standingClock } from '../../../../test/support/standing-clock.ts'
import { until } from '../../../../test/support/until.ts'
import { onDatabase } from '../../../database/on-database.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env, clock: standingClock() })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

const asha = '+919812345678'
const sandbox = () => parley.workspace({ sandbox: true })
const timeOf = async (shop: TestWorkspace) => Date.parse((await shop.get('/sandbox/clock')).body.now)
const news = async (shop: TestWorkspace) => eventsOf(parley, shop.workspaceId)
const names = async (shop: TestWorkspace) => (await news(shop)).map((event) => event.name)
const received = async (shop: TestWorkspace) =>
  (await news(shop)).filter((event) => event.name === 'message.received').map((event) => event.data)
const contactOf = async (shop: TestWorkspace, ref: string) =>
  (await shop.get(`/contacts/${encodeURIComponent(ref)}`)).body.contact

describe('POST /sandbox/inbound', () => {
  test('returns 202 {ok: true, messageId, from} with from in digits; the message arrives with that id', async () => {
    const shop = await sandbox()
    const answer = await shop.post('/sandbox/inbound', { from: '+91 98123-45678', text: 'hello' })
    expect(answer).toMatchObject({ status: 202, body: { ok: true, from: '919812345678' } })
    expect(Object.keys(answer.body)).toEqual(['ok', 'messageId', 'from'])
    const { message } = await until(async () => {
      const found = await shop.get(`/messages/${answer.body.messageId}`)
      return found.status === 200 && found.body
    }, 'the message is in the inbox')
    expect(message).toMatchObject({
      direction: 'inbound',
      type: 'text',
      content: { body: 'hello' },
      status: null,
    })
  })

  test('the message has arrived before the answer: the next pasted command finds the window open', async () => {
    const shop = await sandbox()
    const { body } = await shop.post('/sandbox/inbound', { from: asha, text: 'hello' })
    expect(await shop.post('/send', { to: asha, type: 'text', text: 'Yes' })).toMatchObject({ status: 200 })
    expect((await shop.get(`/messages/${body.messageId}`)).status).toBe(200)
    expect(await names(shop)).toEqual(['contact.created', 'conversation.opened', 'message.received'])
  })

  test('work that another process delays does not delay the answer', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'hello')
    await onDatabase(parley.databaseUrl, async (client) => {
      await client.query('begin')
      await client.query('select 1 from contacts where workspace_id = $1 for update', [shop.workspaceId])
      expect((await shop.post('/sandbox/inbound', { from: asha, text: 'again' })).status).toBe(202)
      expect(await received(shop)).toHaveLength(1)
      await client.query('rollback')
    })
    await until(async () => (await received(shop)).length === 2, 'the second message has arrived')
  })

  test('the message arrives like a real one: contact.created, conversation.opened, message.received', async () => {
    const shop = await sandbox()
    const { body } = await shop.inbound(asha, 'hello', { name: 'Asha Rao' })
    const events = await news(shop)
    expect(events.map((event) => event.name)).toEqual([
      'contact.created',
      'conversation.opened',
      'message.received',
    ])
    const contact = await contactOf(shop, asha)
    const [message] = (await shop.get('/messages')).body.messages
    expect(events[0]!.data).toMatchObject({
      contactId: contact.id,
      phone: asha,
      name: 'Asha Rao',
      source: 'inbound_message',
    })
    expect(events[2]!.data).toEqual({
      messageId: body.messageId,
      chanmid: message.chanmid,
      conversationId: message.conversationId,
      contact: { id: contact.id, phone: asha, name: 'Asha Rao', userId: null, username: null },
      type: 'text',
      content: { body: 'hello' },
      sentAt: message.sentAt,
    })
    await shop.inbound(asha, 'and again')
    expect((await names(shop)).slice(3)).toEqual(['message.received'])
  })

  test('a tapped reply button and a picked list row arrive as interactive replies', async () => {
    const shop = await sandbox()
    const tap = { from: asha, buttonId: 'yes-1', title: 'Yes please' }
    const pick = { from: asha, listId: 'row-2', title: 'Blue, large' }
    for (const body of [tap, pick]) {
      expect((await shop.post('/sandbox/inbound', body)).status).toBe(202)
      await shop.advance(1)
    }
    const [button, list] = await received(shop)
    expect(button).toMatchObject({
      type: 'interactive',
      content: { type: 'button_reply', button_reply: { id: 'yes-1', title: 'Yes please' } },
    })
    expect(list).toMatchObject({
      type: 'interactive',
      content: { type: 'list_reply', list_reply: { id: 'row-2', title: 'Blue, large' } },
    })
  })

  test('a customer without a shared number has phone chan:<user id>; username is included', async () => {
    const shop = await sandbox()
    const answer = await shop.inbound('chan:IN.42', 'hello', { username: 'asha.rao', name: 'Asha' })
    expect(answer.body.from).toBe('chan:IN.42')
    expect((await received(shop))[0].contact).toMatchObject({
      phone: 'chan:IN.42',
      userId: 'IN.42',
      username: 'asha.rao',
      name: 'Asha',
    })
    expect((await shop.post('/send', { to: 'chan:IN.42', type: 'text', text: 'Hi' })).status).toBe(200)
    await shop.advance(5)
    const statuses = (await news(shop)).filter((event) => event.name === 'message.status')
    expect(statuses.map((event) => event.data.status)).toEqual(['sent', 'delivered', 'read'])
  })

  test('takes Idempotency-Key: a retry creates no second message', async () => {
    const shop = await sandbox()
    const key = { idempotencyKey: randomUUID() }
    const body = { from: asha, text: 'once' }
    const [first, repeated] = [
      await shop.post('/sandbox/inbound', body, key),
      await shop.post('/sandbox/inbound', body, key),
    ]
    expect(repeated.body).toEqual(first.body)
    await shop.advance(1)
    expect(await received(shop)).toHaveLength(1)
  })

  test('an invalid body gives 400 naming the field, and writes nothing', async () => {
    const shop = await sandbox()
    const before = await everythingOf(parley, shop.workspaceId)
    const cases: [string, object][] = [
      ['from', { text: 'hi' }],
      ['from', { from: '', text: 'hi' }],
      ['from', { from: 'somebody', text: 'hi' }],
      ['from', { from: 'chan:', text: 'hi' }],
      ['text', { from: asha }],
      ['text', { from: asha, text: '' }],
      ['text', { from: asha, text: ' ' }],
      ['buttonId', { from: asha, text: 'hi', buttonId: 'b', title: 't' }],
      ['listId', { from: asha, buttonId: 'b', listId: 'l', title: 't' }],
      ['title', { from: asha, buttonId: 'b' }],
      ['title', { from: asha, listId: 'l' }],
      ['name', { from: asha, text: 'hi', name: 'x'.repeat(201) }],
      ['surprise', { from: asha, text: 'hi', surprise: true }],
    ]
    for (const [field, body] of cases) {
      const answer = await shop.post('/sandbox/inbound', body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(
        answer.body.issues.map((issue: { path: string }) => issue.path),
        JSON.stringify(body),
      ).toContain(field)
    }
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('the sandbox number cannot write to itself', async () => {
    const shop = await sandbox()
    expect(await shop.post('/sandbox/inbound', { from: shop.number, text: 'hi' })).toMatchObject({
      status: 400,
      body: { error: 'cannot_send_to_self' },
    })
  })
})

describe('STOP and START', () => {
  test.each([
    'STOP',
    'stop',
    'Stop',
    'sToP',
    ' stop \n',
    'UNSUBSCRIBE',
    'unsubscribe',
    'Cancel',
    'END',
    'end',
    'Quit',
    'QUIT',
  ])('%j opts the contact out', async (word) => {
    const shop = await sandbox()
    await shop.inbound(asha, word)
    expect(await contactOf(shop, asha)).toMatchObject({ optInStatus: 'opted_out' })
    const repeated = await shop.patch(`/contacts/${asha}`, { optInStatus: 'opted_in' })
    expect(repeated).toMatchObject({ status: 409, body: { error: 'contact_opted_out' } })
  })

  test.each(['START', 'start', 'Start', ' START ', 'UNSTOP', 'unstop', 'YES', 'yes', 'Yes'])(
    '%j lifts it',
    async (word) => {
      const shop = await sandbox()
      await shop.inbound(asha, 'STOP')
      await shop.inbound(asha, word)
      expect((await contactOf(shop, asha)).optInStatus).toBe('opted_in')
      expect((await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })).status).toBe(200)
    },
  )

  test('only as the whole message', async () => {
    const shop = await sandbox()
    for (const words of ['please stop', 'stop it', 'STOP.', 'The end', 'nonstop', 'can cel', 'stop stop'])
      await shop.inbound(asha, words)
    expect((await contactOf(shop, asha)).optInStatus).toBe('unknown')
    await shop.inbound(asha, 'STOP')
    for (const words of ['yes please', 'restart', 'start again', 'YES!']) await shop.inbound(asha, words)
    expect((await contactOf(shop, asha)).optInStatus).toBe('opted_out')
  })

  test('are messages like any other, and the opt-out emits no event', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'hello')
    await shop.inbound(asha, 'STOP')
    await shop.inbound(asha, 'START')
    expect(await names(shop)).toEqual([
      'contact.created',
      'conversation.opened',
      'message.received',
      'message.received',
      'message.received',
    ])
  })

  test('STOP applies only to its sender', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'hello')
    await shop.inbound('+919800000001', 'STOP')
    expect((await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })).status).toBe(200)
  })
})

describe('receipts of the sandbox', () => {
  test('sent at 1 second, delivered at 2 seconds, read at 5 seconds, not a second earlier', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'hello')
    const sent = await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })
    await until(
      async () => (await shop.get(`/messages/${sent.body.messageId}`)).body.message.chanmid !== null,
      'the message is submitted',
    )
    const due = await parley.system((tx) =>
      tx.sql<{ ms: number; after: number[] }>(
        `select round(extract(epoch from run_at - received_at) * 1000)::float8 as ms,
                jsonb_path_query_array(body::jsonb, '$.next[*].afterMs') as after
         from operator_updates where workspace_id = $1`,
        [shop.workspaceId],
      ),
    )
    expect(due).toEqual([{ ms: 1000, after: [1000, 3000] }])
    const states: string[] = []
    for (let second = 1; second <= 6; second++) {
      await shop.advance(1)
      states.push((await shop.get(`/messages/${sent.body.messageId}`)).body.message.status)
    }
    expect(states).toEqual(['sent', 'delivered', 'delivered', 'delivered', 'read', 'read'])
    const statusEvents = (await news(shop)).filter((event) => event.name === 'message.status')
    expect(statusEvents.map((event) => event.data.status)).toEqual(['sent', 'delivered', 'read'])
  })

  test('one long step of the clock reports them in order, each at its own time', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'hello')
    await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })
    await shop.advance(86_400)
    const events = (await news(shop)).slice(3)
    expect(events.map((event) => event.data.status ?? event.name)).toEqual([
      'sent',
      'delivered',
      'read',
      'conversation.closed',
    ])
    const times = events.map((event) => +event.createdAt)
    // The window began a second before the message was sent.
    expect(times.map((time) => time - times[0]!)).toEqual([0, 1_000, 4_000, 86_398_000])
  })

  /** Creates a message at the simulator whose receipts are all due, as after a short downtime. */
  const overdue = async (shop: TestWorkspace): Promise<string> => {
    await shop.inbound(asha, 'hello')
    const { messageId } = (await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })).body
    await until(
      async () => (await shop.get(`/messages/${messageId}`)).body.message.chanmid !== null,
      'the message is submitted',
    )
    await parley.system((tx) =>
      tx.sql(`update operator_updates set run_at = run_at - interval '10 seconds' where workspace_id = $1`, [
        shop.workspaceId,
      ]),
    )
    return messageId
  }
  const statusesOf = async (shop: TestWorkspace, messageId: string) =>
    (await news(shop))
      .filter(({ name, data }) => name === 'message.status' && data.messageId === messageId)
      .map(({ data }) => data.status)
  const isRead = (shop: TestWorkspace, messageId: string) =>
    until(
      async () => (await shop.get(`/messages/${messageId}`)).body.message.status === 'read',
      'the message is read',
    )

  test('late receipts arrive in order, each once, with their own times', async () => {
    const shop = await sandbox()
    const messageId = await overdue(shop)
    await isRead(shop, messageId)
    expect(await statusesOf(shop, messageId)).toEqual(['sent', 'delivered', 'read'])
    const { message } = (await shop.get(`/messages/${messageId}`)).body
    const sentAt = Date.parse(message.sentAt)
    expect(Date.parse(message.deliveredAt) - sentAt).toBe(1_000)
    expect(Date.parse(message.readAt) - sentAt).toBe(4_000)
  })

  test('a receipt that cannot be applied does not block the others of its message', async () => {
    const shop = await sandbox()
    await parley.system(async (tx) => {
      await tx.sql(
        `create function refuse() returns trigger language plpgsql as 'begin raise exception ''not delivered''; end'`,
      )
      await tx.sql(
        `create trigger refuse before insert on events for each row
         when (new.workspace_id = '${shop.workspaceId}' and new.data ->> 'status' = 'delivered') execute function refuse()`,
      )
    })
    onTestFinished(async () => {
      await parley.system((tx) => tx.sql('drop function refuse cascade'))
    })
    const messageId = await overdue(shop)
    await isRead(shop, messageId)
    expect(await statusesOf(shop, messageId)).toEqual(['sent', 'read'])
  })

  test('without the clock they arrive in real time', async () => {
    const own = await boot({ databaseUrl: parley.databaseUrl })
    onTestFinished(() => own.close())
    const shop = await own.workspace({ sandbox: true })
    await shop.inbound(asha, 'hello')
    const sent = await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })
    const startedAt = performance.now()
    const reached = (status: string) =>
      until(
        async () => (await shop.get(`/messages/${sent.body.messageId}`)).body.message.status === status,
        `the message is ${status}`,
      )
    await reached('sent')
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    await reached('delivered')
    expect(performance.now() - startedAt).toBeGreaterThan(1_900)
    await reached('read')
    expect(performance.now() - startedAt).toBeGreaterThan(4_900)
  })

  test.each([
    ['+12125550126', 131026, true, false],
    ['+14155550126', 131026, true, false],
    ['+12125550149', 131049, false, true],
  ])(
    '%s fails at 2 seconds with code %i, permanent %s, retryable %s',
    async (number, code, permanent, retryable) => {
      const shop = await sandbox()
      await shop.inbound(number, 'hello')
      const sent = await shop.post('/send', { to: number, type: 'text', text: 'Hi' })
      await shop.advance(10)
      const { message } = (await shop.get(`/messages/${sent.body.messageId}`)).body
      expect(message).toMatchObject({
        status: 'failed',
        deliveredAt: null,
        readAt: null,
        error: { code, permanent, retryable },
      })
      const events = (await news(shop)).slice(3)
      expect(events.map((event) => [event.name, event.data.status])).toEqual([
        ['message.status', 'sent'],
        ['message.status', 'failed'],
        ['message.failed', undefined],
      ])
      expect(events[1]!.data.errors).toMatchObject([{ code }])
      expect(events[2]!.data).toMatchObject({
        messageId: sent.body.messageId,
        chanmid: message.chanmid,
        conversationId: message.conversationId,
        contact: { phone: number },
        type: 'text',
        category: expect.any(String),
        errorCode: code,
        errorTitle: expect.stringMatching(/.../),
        errorMessage: expect.stringMatching(/.../),
        permanent,
        retryable,
        failedAt: message.failedAt,
      })
      const gapMs = +events[1]!.createdAt - +events[0]!.createdAt
      expect(gapMs).toBe(1_000)
    },
  )

  test('numbers that only resemble the reserved ones are delivered', async () => {
    const shop = await sandbox()
    for (const number of ['+919815550126', '+12125560126', '+12125550127']) {
      await shop.inbound(number, 'hello')
      const sent = await shop.post('/send', { to: number, type: 'text', text: 'Hi' })
      await shop.advance(5)
      const { message } = (await shop.get(`/messages/${sent.body.messageId}`)).body
      expect(message.status, number).toBe('read')
    }
  })
})

describe('the sandbox clock', () => {
  test('moves forward by the requested time, and returns it', async () => {
    const shop = await sandbox()
    const before = await timeOf(shop)
    const movedTo = await shop.advance(3600)
    expect(+movedTo - before).toBe(3_600_000)
    expect(await timeOf(shop)).toBe(+movedTo)
  })

  test('takes 1 second to a year; other values are 400 naming advanceSeconds and move nothing', async () => {
    const shop = await sandbox()
    const before = await everythingOf(parley, shop.workspaceId)
    for (const advanceSeconds of [0, -1, 1.5, '60', null, 31_536_001, 1e300, undefined]) {
      const answer = await shop.post('/sandbox/clock', { advanceSeconds })
      expect(answer, String(advanceSeconds)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path).toBe('advanceSeconds')
    }
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
    const now = await timeOf(shop)
    expect(+(await shop.advance(31_536_000)) - now).toBe(31_536_000_000)
  })

  test('parallel calls add up', async () => {
    const shop = await sandbox()
    const before = await timeOf(shop)
    await Promise.all(Array.from({ length: 8 }, () => shop.advance(600)))
    expect((await timeOf(shop)) - before).toBe(4_800_000)
  })

  test('moves only one workspace', async () => {
    const [shop, neighbor] = [await sandbox(), await sandbox()]
    await neighbor.inbound(asha, 'hello')
    const before = await timeOf(neighbor)
    await shop.advance(200_000)
    expect((await neighbor.post('/send', { to: asha, type: 'text', text: 'Hi' })).status).toBe(200)
    expect(await timeOf(neighbor)).toBe(before)
  })

  test('waits for a due campaign that another process works on', async () => {
    const [shop, neighbor] = [await sandbox(), await sandbox()]
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    const scheduledAt = new Date((await timeOf(shop)) + 3_600_000).toISOString()
    const created = await campaigns.create({ scheduledAt })
    expect(created.status, created.text).toBe(201)
    const inHand = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    // The process that runs it needs only its row; the clock does not.
    const held = parley.system(async (tx) => {
      await tx.sql('select id from broadcasts where workspace_id = $1 for key share', [shop.workspaceId])
      inHand.resolve()
      await release.promise
    })
    onTestFinished(() => release.resolve())
    await inHand.promise
    const advance = shop.advance(3_600)
    await until(
      async () => (await shop.get('/sandbox/clock')).body.now >= scheduledAt,
      'the clock has reached the scheduled time',
    )
    const movedMs = () =>
      parley.system((tx) =>
        tx.sql('select clock_offset_ms from workspaces where id = $1', [shop.workspaceId]),
      )
    // Its time stops, while the time of others continues.
    const movedBefore = await movedMs()
    for (let i = 0; i < 5; i++) await neighbor.advance(60)
    expect(await movedMs()).toEqual(movedBefore)
    release.resolve()
    await Promise.all([held, advance])
    expect(await campaigns.of(created.body.id)).toMatchObject({ status: 'completed', counts: { queued: 3 } })
  })

  test('waits for a delivery that background work has begun', async () => {
    const [shop, neighbor] = [await sandbox(), await sandbox()]
    const receiver = await receivers.open()
    const held = Promise.withResolvers<() => void>()
    receiver.answer((response) => held.resolve(() => response.writeHead(200).end()))
    const { id } = (await shop.post('/webhooks', { url: receiver.url, event: 'contact.created' })).body
      .webhook
    await shop.post('/contacts', { phone: asha })
    const answer = await held.promise
    let hasReturned = false
    const advance = shop.advance(1).then(() => {
      hasReturned = true
    })
    for (let i = 0; i < 5; i++) await neighbor.advance(60)
    expect(hasReturned).toBe(false)
    answer()
    await advance
    const { deliveries } = (await shop.get(`/webhooks/${id}/deliveries`)).body
    expect(deliveries).toMatchObject([{ status: 'succeeded' }])
  })

  test('an Idempotency-Key is deleted after 24 hours', async () => {
    const shop = await sandbox()
    const key = { idempotencyKey: randomUUID() }
    const first = await shop.post('/sandbox/inbound', { from: asha, text: 'hello' }, key)
    await shop.advance(86_400 - 60)
    expect((await shop.post('/sandbox/inbound', { from: asha, text: 'hello' }, key)).body).toEqual(first.body)
    await shop.advance(60)
    const later = await shop.post('/sandbox/inbound', { from: asha, text: 'hello' }, key)
    expect(later.status).toBe(202)
    expect(later.body.messageId).not.toBe(first.body.messageId)
  })
})

test('the sandbox endpoints are 404 in other workspaces', async () => {
  const shop = await parley.workspace()
  const answers = [
    await shop.post('/sandbox/inbound', { from: asha, text: 'hello' }),
    await shop.get('/sandbox/clock'),
    await shop.post('/sandbox/clock', { advanceSeconds: 60 }),
    await shop.post('/sandbox/inbound', { nonsense: true }),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test('the sandbox endpoints accept agents with messages:send', async () => {
  const shop = await sandbox()
  const agent = await shop.as('agent', { scopes: ['messages:send'] })
  expect((await agent.post('/sandbox/inbound', { from: asha, text: 'hello' })).status).toBe(202)
  expect((await agent.post('/sandbox/clock', { advanceSeconds: 1 })).status).toBe(200)
  const viewer = await shop.as('viewer')
  expect((await viewer.post('/sandbox/inbound', { from: asha, text: 'hello' })).status).toBe(403)
  expect((await viewer.post('/sandbox/clock', { advanceSeconds: 1 })).status).toBe(403)
  // The pages of a viewer show the sandbox's time too.
  expect((await viewer.get('/sandbox/clock')).status).toBe(200)
})
