import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { refusing } from '../../../../../test/support/sends.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const asha = '+919812345678'
const DAY_SECONDS = 86_400

const sandbox = () => parley.workspace({ sandbox: true })
/** Creates a sandbox to which Asha has just written. */
async function openShop(): Promise<TestWorkspace> {
  const shop = await sandbox()
  await shop.inbound(asha, 'Is the blue one in stock?', { name: 'Asha Rao' })
  return shop
}
const text = (overrides: object = {}) => ({
  to: asha,
  type: 'text',
  text: 'Yes, in every size.',
  ...overrides,
})
const setNumber = (shop: TestWorkspace, state: string, reason: string | null = null) =>
  parley.system((tx) =>
    tx.sql('update phone_numbers set state = $2, state_reason = $3 where workspace_id = $1', [
      shop.workspaceId,
      state,
      reason,
    ]),
  )
const messageOf = async (shop: TestWorkspace, sent: Answered) => {
  expect(sent.status, sent.text).toBe(200)
  return (await shop.get(`/messages/${sent.body.messageId}`)).body.message
}
const refused = refusing(() => parley)

describe('POST /send', () => {
  test('returns 200 {ok: true, messageId}: queued, not delivered', async () => {
    const shop = await openShop()
    const sent = await shop.post('/send', text())
    expect(sent).toMatchObject({ status: 200, body: { ok: true, messageId: expect.any(String) } })
    expect(Object.keys(sent.body)).toEqual(['ok', 'messageId'])
    const message = await messageOf(shop, sent)
    expect(message).toMatchObject({
      id: sent.body.messageId,
      direction: 'outbound',
      type: 'text',
      content: { body: 'Yes, in every size.' },
      status: 'queued',
      phoneNumberId: shop.phoneNumberId,
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      error: null,
    })
  })

  test('`to` is E.164 with or without +', async () => {
    const shop = await openShop()
    const contacts = await Promise.all(
      ['+919812345678', '919812345678', '+91 98123-45678', '00919812345678'].map(
        async (to) => (await messageOf(shop, await shop.post('/send', text({ to })))).contactId,
      ),
    )
    expect(new Set(contacts).size).toBe(1)
  })

  test("a number without country code takes the sending number's country code", async () => {
    const shop = await sandbox()
    expect(shop.number).toMatch(/^\+1555/)
    await shop.inbound('+12125550199', 'hello')
    const { contactId } = await messageOf(shop, await shop.post('/send', text({ to: '2125550199' })))
    expect((await shop.get(`/contacts/${contactId}`)).body.contact.e164).toBe('+12125550199')
  })

  test('`recipient` reaches a customer by chat-network user id, and so does to: chan:<user id>', async () => {
    const shop = await sandbox()
    await shop.inbound('chan:IN.abc-1', 'hello', { username: 'asha.rao' })
    const contactIdBy = async (body: object) =>
      (await messageOf(shop, await shop.post('/send', { type: 'text', text: 'Hi', ...body }))).contactId
    const [contactId, sameId] = [
      await contactIdBy({ recipient: 'IN.abc-1' }),
      await contactIdBy({ to: 'chan:IN.abc-1' }),
    ]
    expect(contactId).toBe(sameId)
    const { contact } = (await shop.get(`/contacts/${contactId}`)).body
    expect(contact).toMatchObject({ e164: 'chan:IN.abc-1', userId: 'IN.abc-1', username: 'asha.rao' })
    await shop.advance(5)
    const { messages } = (await shop.get('/messages?status=read')).body
    expect(messages).toHaveLength(2)
  })

  test('`to` takes precedence over `recipient`', async () => {
    const shop = await openShop()
    await shop.inbound('chan:IN.other', 'hello')
    const { contactId } = await messageOf(shop, await shop.post('/send', text({ recipient: 'IN.other' })))
    expect((await shop.get(`/contacts/${contactId}`)).body.contact.e164).toBe(asha)
    await refused(
      shop,
      { to: '+919800000000', recipient: 'IN.other', type: 'text', text: 'Hi' },
      422,
      'outside_24h_window',
    )
  })

  test('chan: ids are taken exactly as reported', async () => {
    const shop = await sandbox()
    await shop.inbound('chan:IN.AbC', 'hello')
    for (const to of ['chan:in.abc', 'CHAN:IN.AbC', 'chan:IN.AbC ', 'chan:'])
      expect((await shop.post('/send', text({ to }))).status, to).not.toBe(200)
    expect((await shop.post('/send', text({ to: 'chan:IN.AbC' }))).status).toBe(200)
  })

  test('replyTo takes the channel message id of a message in the conversation', async () => {
    const shop = await openShop()
    const [question] = (await shop.get('/messages')).body.messages
    const message = await messageOf(shop, await shop.post('/send', text({ replyTo: question.chanmid })))
    expect(message.replyTo).toBe(question.chanmid)
  })

  test('a retry with the same Idempotency-Key returns the first answer, including refusals by a rule', async () => {
    const shop = await openShop()
    const key = { idempotencyKey: randomUUID() }
    const [first, repeated] = [await shop.post('/send', text(), key), await shop.post('/send', text(), key)]
    expect(repeated.body).toEqual(first.body)
    expect(repeated.headers['idempotent-replayed']).toBe('true')
    const other = await shop.post('/send', text({ text: 'Something else' }), key)
    expect(other).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } })
    const closed = { idempotencyKey: randomUUID() }
    const outsider = text({ to: '+919811111111' })
    expect((await shop.post('/send', outsider, closed)).status).toBe(422)
    await shop.inbound('+919811111111', 'now I wrote')
    expect(await shop.post('/send', outsider, closed)).toMatchObject({
      status: 422,
      body: { error: 'outside_24h_window' },
    })
    expect((await shop.post('/send', outsider)).status).toBe(200)
  })

  test("another workspace's customers, numbers and messages are answered like missing ones", async () => {
    const [shop, neighbor] = [await sandbox(), await openShop()]
    await shop.inbound('+919822222222', 'hello')
    const [foreign] = (await neighbor.get('/messages')).body.messages
    await refused(shop, text(), 422, 'outside_24h_window')
    const ours = text({ to: '+919822222222' })
    await refused(shop, { ...ours, phoneNumberId: neighbor.phoneNumberId }, 400, 'invalid_reference')
    await refused(shop, { ...ours, replyTo: foreign.chanmid }, 400, 'invalid_reference')
    expect((await shop.get(`/messages/${foreign.id}`)).status).toBe(404)
    expect((await shop.get(`/messages/${foreign.chanmid}`)).status).toBe(404)
  })
})

describe('a refused send writes nothing', () => {
  test('422 outside_24h_window: the customer has never written', async () => {
    const shop = await openShop()
    await refused(shop, text({ to: '+919899999999' }), 422, 'outside_24h_window')
    await refused(shop, text({ to: 'chan:unknown' }), 422, 'outside_24h_window')
    await refused(shop, { recipient: 'unknown', type: 'text', text: 'Hi' }, 422, 'outside_24h_window')
    await shop.post('/contacts', { phone: '+919899999999' })
    await refused(shop, text({ to: '+919899999999' }), 422, 'outside_24h_window')
  })

  test("422 outside_24h_window: 24 hours after the customer's last message, to the second", async () => {
    const shop = await openShop()
    const { windowExpiresAt } = (await shop.get('/conversations')).body.conversations[0]
    const secondsLeft = async () =>
      Math.ceil(
        (Date.parse(windowExpiresAt) - Date.parse((await shop.get('/sandbox/clock')).body.now)) / 1000,
      )
    await shop.advance((await secondsLeft()) - 5)
    expect((await shop.post('/send', text())).status).toBe(200)
    await shop.advance(await secondsLeft())
    await refused(shop, text(), 422, 'outside_24h_window')
    await shop.inbound(asha, 'Are you there?')
    expect((await shop.post('/send', text())).status).toBe(200)
  })

  test('an answer of ours does not keep the window open', async () => {
    const shop = await openShop()
    await shop.advance(DAY_SECONDS - 600)
    expect((await shop.post('/send', text())).status).toBe(200)
    await shop.advance(600)
    await refused(shop, text(), 422, 'outside_24h_window')
  })

  test('409 contact_opted_out after STOP; only the customer lifts it', async () => {
    const shop = await openShop()
    await shop.inbound(asha, 'STOP')
    await refused(shop, text(), 409, 'contact_opted_out')
    for (const optInStatus of ['opted_in', 'unknown'])
      expect(await shop.patch(`/contacts/${asha}`, { optInStatus })).toMatchObject({
        status: 409,
        body: { error: 'contact_opted_out' },
      })
    await refused(shop, text(), 409, 'contact_opted_out')
    await shop.inbound(asha, 'START')
    expect((await shop.post('/send', text())).status).toBe(200)
  })

  test('409 contact_opted_out after an opt-out made through the API, which the API can lift', async () => {
    const shop = await openShop()
    expect((await shop.patch(`/contacts/${asha}`, { optInStatus: 'opted_out' })).status).toBe(200)
    await refused(shop, text(), 409, 'contact_opted_out')
    expect((await shop.patch(`/contacts/${asha}`, { optInStatus: 'opted_in' })).status).toBe(200)
    expect((await shop.post('/send', text())).status).toBe(200)
  })

  test('409 number_banned and sending_blocked give the reason; nothing is queued', async () => {
    const shop = await openShop()
    await setNumber(shop, 'number_banned', 'Banned for spam.')
    const banned = await refused(shop, text(), 409, 'number_banned')
    expect(banned.body.message).toBe('Banned for spam.')
    await setNumber(shop, 'sending_blocked')
    await refused(shop, text(), 409, 'sending_blocked')
    await setNumber(shop, 'disconnected')
    await refused(shop, text(), 409, 'sending_blocked')
    await setNumber(shop, 'active')
    expect((await shop.post('/send', text())).status).toBe(200)
  })

  test("402 quota_exceeded: the month's allowance is exact, also for parallel sends, and ends with the month", async () => {
    const shop = await sandbox()
    await shop.set({ messageAllowance: 5 })
    await shop.inbound(asha, 'hello')
    const answers = await Promise.all(Array.from({ length: 12 }, () => shop.post('/send', text())))
    expect(answers.map((answer) => answer.status).sort()).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(7).fill(402),
    ])
    await shop.advance(10)
    await refused(shop, text(), 402, 'quota_exceeded')
    await shop.advance(31 * DAY_SECONDS)
    await shop.inbound(asha, 'hello again')
    expect((await shop.post('/send', text())).status).toBe(200)
  })

  test('a refused send does not count against the allowance', async () => {
    const shop = await sandbox()
    await shop.set({ messageAllowance: 1 })
    await shop.inbound(asha, 'hello')
    for (let i = 0; i < 3; i++) await refused(shop, text({ to: '+919877777777' }), 422, 'outside_24h_window')
    expect((await shop.post('/send', text())).status).toBe(200)
    await shop.advance(10)
    await refused(shop, text(), 402, 'quota_exceeded')
  })

  test("400 cannot_send_to_self: the business's own number in any spelling", async () => {
    const shop = await openShop()
    const own = shop.number as string
    for (const to of [own, own.slice(1), own.slice(2), `00${own.slice(1)}`])
      await refused(shop, text({ to }), 400, 'cannot_send_to_self')
  })

  test('400 invalid_reference: phoneNumberId or replyTo is unknown to the workspace', async () => {
    const shop = await openShop()
    await shop.inbound('+919833333333', 'I am somebody else')
    const [elsewhere] = (await shop.get('/messages?limit=1')).body.messages
    await refused(shop, text({ phoneNumberId: randomUUID() }), 400, 'invalid_reference')
    await refused(shop, text({ replyTo: 'wamid.unknown' }), 400, 'invalid_reference')
    await refused(shop, text({ replyTo: elsewhere.chanmid }), 400, 'invalid_reference')
  })

  test('400 invalid names the field', async () => {
    const shop = await openShop()
    const cases: [string, unknown][] = [
      ['to', { type: 'text', text: 'Hi' }],
      ['to', text({ to: '' })],
      ['to', text({ to: 'nobody' })],
      ['to', text({ to: 919812345678 })],
      ['to', text({ to: '+9198' })],
      ['recipient', { recipient: '', type: 'text', text: 'Hi' }],
      ['type', { to: asha, text: 'Hi' }],
      ['type', text({ type: 'telegram' })],
      ['text', { to: asha, type: 'text' }],
      ['text', text({ text: '' })],
      ['text', text({ text: ' \n ' })],
      ['text', text({ text: 'x'.repeat(4097) })],
      ['text', text({ text: 'a\u0000b' })],
      ['text', `{"to":"${asha}","type":"text","text":"\\ud800"}`],
      ['phoneNumberId', text({ phoneNumberId: 'first' })],
      ['replyTo', text({ replyTo: 7 })],
      ['unknownField', text({ unknownField: 1 })],
    ]
    for (const [field, body] of cases) {
      const { body: answer } = await refused(shop, body, 400, 'invalid')
      expect(
        answer.issues.map((issue: { path: string }) => issue.path),
        JSON.stringify(body),
      ).toContain(field)
    }
  })

  test('a text may have 4,096 characters of any script, and is returned unchanged', async () => {
    const shop = await openShop()
    for (const words of ['नमस्ते 🙏🏽 ', '\u202Eلا', '<b>&amp;'].map((word) =>
      word.repeat(500).slice(0, 4096),
    )) {
      const message = await messageOf(shop, await shop.post('/send', text({ text: words.toWellFormed() })))
      expect(message.content).toEqual({ body: words.toWellFormed() })
    }
  })

  test('roles and scopes: agents may, viewers and keys without messages:send may not', async () => {
    const shop = await openShop()
    const agent = await shop.as('agent')
    expect((await agent.post('/send', text())).status).toBe(200)
    const viewer = await shop.as('viewer')
    expect(await viewer.post('/send', text())).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    const narrowed = await shop.as('admin', { scopes: ['contacts:read'] })
    expect(await narrowed.post('/send', text())).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', required: 'messages:send' },
    })
  })

  test('a refused send does not affect the others in the same batch', async () => {
    const shop = await openShop()
    const bodies = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0 ? text({ to: '+919866666666' }) : i % 3 === 1 ? text({ replyTo: 'wamid.none' }) : text(),
    )
    const answers = await Promise.all(bodies.map((body) => shop.post('/send', body)))
    expect(answers.map((answer) => answer.status)).toEqual(bodies.map((_, i) => [422, 400, 200][i % 3]))
    const ids = answers.filter((answer) => answer.status === 200).map((answer) => answer.body.messageId)
    await shop.advance(5)
    const reported = (await eventsOf(parley, shop.workspaceId)).filter(
      (event) => event.name === 'message.status',
    )
    expect(new Set(reported.map((event) => event.data.messageId))).toEqual(new Set(ids))
    expect(reported).toHaveLength(3 * ids.length)
  })
})
