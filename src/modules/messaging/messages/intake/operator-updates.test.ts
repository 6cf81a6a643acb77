import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../../../../../test/support/operator-webhooks.ts'
import { DAY_MS, later, systemClock } from '../../../../core/clock.ts'
import { intakeRetentionSource } from '../work/intake-retention-source.ts'

let parley: TestParley
let shop: TestWorkspace
let number: ConnectedNumber

beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace()
  number = await connectNumber(parley, shop)
})

const ASHA = '919812345678'
const now = () => Math.floor(Date.now() / 1000)
let last = 0
const freshId = () => `wamid.${++last}`

/** Sends a customer's message; returns the channel's id. */
async function write(
  overrides: object = { type: 'text', text: { body: 'Hi' } },
  timestamp = now(),
  from = ASHA,
) {
  const id = freshId()
  await number.report('messages', { messages: [{ from, id, timestamp: String(timestamp), ...overrides }] })
  return id
}
/** Sends a message typed in the phone app; returns the channel's id. */
async function type(timestamp = now(), to = ASHA) {
  const id = freshId()
  const echo = { to, id, timestamp: String(timestamp), type: 'text', text: { body: 'Hello' } }
  await number.report('smb_message_echoes', { message_echoes: [echo] })
  return id
}
const status = (id: string, name: string, overrides: object = {}) =>
  number.report('messages', { statuses: [{ id, status: name, timestamp: String(now()), ...overrides }] })
const events = async (name?: string): Promise<Body[]> =>
  (await shop.get('/events?limit=100')).body.events
    .filter((event: Body) => name === undefined || event.event === name)
    .toReversed()
const conversation = async () => (await shop.get('/conversations')).body.conversations[0]
const contact = async () => (await shop.get(`/contacts/+${ASHA}`)).body.contact
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

describe('flow.completed', () => {
  const form = (response_json: string) => ({
    type: 'interactive',
    interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } },
  })

  test("reports the form's fields by their names, without its token, in addition to message.received", async () => {
    await write(form('{"flow_token":"secret","rating":4,"extras":["gift","card"]}'))
    const [completed] = await events('flow.completed')
    const [received] = await events('message.received')
    expect(completed.data).toEqual({
      messageId: received.data.messageId,
      contactId: received.data.contact.id,
      fields: { rating: 4, extras: ['gift', 'card'] },
    })
  })

  test('the token of a form appears in no event and no reply, in any shape of the answer', async () => {
    for (const answer of [
      '{"flow_token":"secret-token","rating":4}',
      '{"flow_token":"secret-token","rating":',
      '{ "rating": 4, "flow_token" : "secret-token" }',
    ])
      await write(form(answer))
    const received = await events('message.received')
    expect(JSON.parse(received[0].data.content.nfm_reply.response_json)).toEqual({ rating: 4 })
    expect((await shop.get('/events?limit=100')).text).not.toContain('secret-token')
    expect((await shop.get('/messages')).text).not.toContain('secret-token')
  })

  test('is not emitted for an answer that cannot be parsed: message.received is', async () => {
    for (const answer of ['', '{', 'null', '[1]', '"text"', `${'['.repeat(9999)}`]) await write(form(answer))
    expect(await events('flow.completed')).toEqual([])
    expect(await events('message.received')).toHaveLength(6)
  })

  test('reports all values that a form can contain', async () => {
    await write(form('{"a\\u0000b":"\\u0000","c":"\\ud800","__proto__":1}'))
    const [completed] = await events('flow.completed')
    expect(Object.keys(completed.data.fields)).toContain('ab')
  })

  test('does not report an address', async () => {
    await write({
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'address_message', response_json: '{"a":1}' } },
    })
    expect(await events('flow.completed')).toEqual([])
  })
})

describe('call.missed', () => {
  const call = (event: string, overrides: object = {}) =>
    number.report('calls', {
      contacts: [{ wa_id: ASHA, profile: { name: 'Asha' } }],
      calls: [
        {
          id: 'wacid.1',
          from: ASHA,
          direction: 'USER_INITIATED',
          event,
          timestamp: String(now()),
          ...overrides,
        },
      ],
    })

  test('reports an unanswered call once, with its start time', async () => {
    const startedAt = now() - 30
    await call('connect', { timestamp: String(startedAt) })
    expect(await events('call.missed')).toEqual([])
    for (let repeat = 0; repeat < 3; repeat++) await call('terminate', { status: 'COMPLETED' })
    const missed = await events('call.missed')
    expect(missed.map(({ data }) => data)).toEqual([
      {
        callId: 'wacid.1',
        contactId: (await contact()).id,
        conversationId: (await conversation()).id,
        phone: `+${ASHA}`,
        startedAt: iso(startedAt),
      },
    ])
  })

  test('does not report a call that was answered', async () => {
    await call('connect')
    await call('terminate', { status: 'COMPLETED', start_time: String(now()), duration: 3 })
    expect(await events('call.missed')).toEqual([])
  })

  test('reports a failed call, even when its beginning was never reported', async () => {
    await call('terminate', { status: 'FAILED' })
    expect(await events('call.missed')).toHaveLength(1)
    await call('connect')
    expect(await events('call.missed')).toHaveLength(1)
  })

  test('a call lets the business answer for 24 hours, without an event', async () => {
    await call('connect')
    expect(await conversation()).toMatchObject({ windowOpen: true, unreadCount: 0 })
    expect(await events('conversation.opened')).toEqual([])
    expect((await shop.post('/send', { to: `+${ASHA}`, type: 'text', text: 'You called?' })).status).toBe(200)
    // The customer's message is the first to open the window with an event.
    await write()
    expect(await events('conversation.opened')).toHaveLength(1)
  })

  test('an erased contact leaves no call behind', async () => {
    await call('connect')
    await shop.delete(`/contacts/+${ASHA}`)
    const rows = await parley.system((tx) =>
      tx.sql('select 1 from calls where workspace_id = $1', [shop.workspaceId]),
    )
    expect(rows).toEqual([])
  })
})

describe('A free entry point', () => {
  const writeFromAd = (timestamp: number) =>
    write({ type: 'text', text: { body: 'Hi' }, referral: { source_type: 'ad', source_id: '1' } }, timestamp)

  test('begins with the first answer within 24 hours and lasts 72 hours', async () => {
    const sentAt = now() - 7200
    await writeFromAd(sentAt)
    expect((await conversation()).freeEntryExpiresAt).toBeNull()
    const [opened] = await events('conversation.opened')
    expect(opened.data.freeEntryExpiresAt).toBeNull()
    await type(sentAt + 3600)
    await type(sentAt + 1800)
    await type(sentAt + 5400)
    expect((await conversation()).freeEntryExpiresAt).toBe(iso(sentAt + 1800 + 72 * 3600))
  })

  test('reports when the window opens while it lasts', async () => {
    const sentAt = now() - 25 * 3600
    await writeFromAd(sentAt)
    await type(sentAt + 3600)
    await write()
    const [opened] = await events('conversation.opened')
    expect(opened.data.freeEntryExpiresAt).toBe(iso(sentAt + 3600 + 72 * 3600))
  })

  test('does not begin with an answer that was too late, nor without an advertisement', async () => {
    await writeFromAd(now() - 30 * 3600)
    await type()
    expect((await conversation()).freeEntryExpiresAt).toBeNull()
    await write()
    await type()
    expect((await conversation()).freeEntryExpiresAt).toBeNull()
  })

  test('also begins when the answer is reported before the message that it answers', async () => {
    const sentAt = now() - 7200
    await type(sentAt + 60)
    await writeFromAd(sentAt)
    expect((await conversation()).freeEntryExpiresAt).toBe(iso(sentAt + 60 + 72 * 3600))
  })
})

describe('Marketing preferences that the customer sets in the chat network', () => {
  const prefer = (value: string, timestamp = now()) =>
    number.report('user_preferences', {
      user_preferences: [{ wa_id: ASHA, category: 'marketing_messages', value, timestamp }],
    })

  test('stop opts out like STOP: later sends fail and the API cannot undo it; resume undoes it', async () => {
    await write()
    await prefer('stop')
    expect(await contact()).toMatchObject({ optInStatus: 'opted_out', optInSource: 'user_preferences' })
    expect(await shop.post('/send', { to: `+${ASHA}`, type: 'text', text: 'Hi' })).toMatchObject({
      status: 409,
      body: { error: 'contact_opted_out' },
    })
    expect((await shop.patch(`/contacts/+${ASHA}`, { optInStatus: 'opted_in' })).status).toBe(409)
    await prefer('resume')
    expect(await contact()).toMatchObject({ optInStatus: 'opted_in', optInSource: 'user_preferences' })
  })

  test('a customer who is no contact yet becomes one: contact.created, source user_preferences', async () => {
    await prefer('stop')
    const [created] = await events('contact.created')
    expect(created.data).toMatchObject({ source: 'user_preferences', phone: `+${ASHA}` })
  })

  test('a failure that reports the stop records it', async () => {
    const id = await type()
    await status(id, 'failed', { errors: [{ code: 131050, title: 'User has stopped marketing' }] })
    expect((await contact()).optInStatus).toBe('opted_out')
  })
})

describe('A tapped button', () => {
  const button = (text: string) => ({ type: 'button', button: { payload: 'p', text } })
  const reply = (title: string) => ({
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: 'b', title } },
  })
  const row = (title: string) => ({
    type: 'interactive',
    interactive: { type: 'list_reply', list_reply: { id: 'r', title } },
  })

  test.each([
    ['a template', button],
    ['a message', reply],
    ['a list', row],
  ])('with %s that says STOP or UNSUBSCRIBE opts out; START or UNSTOP lifts it', async (_, tap) => {
    for (const [stop, start] of [
      ['Stop', 'START'],
      [' UNSUBSCRIBE ', 'unstop'],
    ]) {
      const messageId = await write(tap(stop!))
      expect(await contact()).toMatchObject({ optInStatus: 'opted_out', optInSource: `message ${messageId}` })
      expect((await shop.patch(`/contacts/+${ASHA}`, { optInStatus: 'opted_in' })).status).toBe(409)
      await write(tap(start!))
      expect((await contact()).optInStatus).toBe('opted_in')
    }
  })

  test('invisible characters and full-width letters in a word are ignored', async () => {
    for (const [stop, start] of [
      ['\u200eSTOP\u200f', 'Start\u200b'],
      ['ＳＴＯＰ', '\ufeffUnstop'],
    ]) {
      await write({ type: 'text', text: { body: stop } })
      expect((await contact()).optInStatus).toBe('opted_out')
      await write({ type: 'text', text: { body: start } })
      expect((await contact()).optInStatus).toBe('opted_in')
    }
  })

  test('with CANCEL, END, QUIT or YES answers the message to which it belongs', async () => {
    for (const tap of [button, reply, row])
      for (const word of ['CANCEL', 'End', 'Quit', 'Please stop']) await write(tap(word))
    expect((await contact()).optInStatus).toBe('unknown')
    await write({ type: 'text', text: { body: 'STOP' } })
    for (const tap of [button, reply, row]) await write(tap('YES'))
    expect((await contact()).optInStatus).toBe('opted_out')
  })
})

describe('The state of numbers', () => {
  const ourNumber = async (of = number) =>
    (await shop.get('/phone-numbers')).body.phoneNumbers.find(({ id }: Body) => id === of.phoneNumberId)

  test.each([
    [131031, 'number_banned'],
    [131042, 'sending_blocked'],
    [190, 'disconnected'],
  ])('a failure with %i makes the number %s, and sends are rejected', async (code, state) => {
    await write()
    await status(await type(), 'failed', { errors: [{ code, title: 'Trouble', message: 'No more' }] })
    expect(await ourNumber()).toMatchObject({ state, stateReason: 'No more' })
    const refused = await shop.post('/send', { to: `+${ASHA}`, type: 'text', text: 'Hi' })
    expect(refused.status).toBe(409)
  })

  test('an error outside a message is about the number', async () => {
    await number.report('messages', { errors: [{ code: 131031, title: 'Account has been locked' }] })
    expect((await ourNumber()).state).toBe('number_banned')
    await number.report('messages', { errors: [{ code: 131000, title: 'Something went wrong' }] })
    expect((await ourNumber()).state).toBe('number_banned')
  })

  test.each([131047, 131005, 10, 200])('a failure with %i concerns only its message', async (code) => {
    await write()
    await status(await type(), 'failed', { errors: [{ code, title: 'Not this one' }] })
    expect((await ourNumber()).state).toBe('active')
  })

  test('reports of an account concern only its numbers; older reports change nothing', async () => {
    const { accountId, appSecret } = number
    const sister = await connectNumber(parley, shop, { accountId, appSecret })
    const other = await connectNumber(parley, shop, { appSecret })
    const ban = (waba_ban_state: string, time: number) =>
      number.report('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } }, time)
    await ban('DISABLE', now())
    await ban('REINSTATE', now() - 60)
    expect([
      (await ourNumber()).state,
      (await ourNumber(sister)).state,
      (await ourNumber(other)).state,
    ]).toEqual(['number_banned', 'number_banned', 'active'])
    await ban('REINSTATE', now() + 1)
    expect(await ourNumber(sister)).toMatchObject({ state: 'active', stateReason: null })
  })

  test('quality, pace, limit and names are shown as the operator last reported them', async () => {
    const about = { display_phone_number: number.displayNumber }
    await number.report('phone_number_quality_update', { ...about, event: 'THROUGHPUT_UPGRADE' }, now())
    await number.report('phone_number_quality_update', {
      ...about,
      event: 'FLAGGED',
      current_limit: 'TIER_2K',
    })
    await number.report('phone_number_name_update', {
      ...about,
      decision: 'APPROVED',
      requested_verified_name: 'Asha’s flowers',
    })
    await number.report('phone_number_name_update', {
      ...about,
      decision: 'REJECTED',
      requested_verified_name: 'Best flowers',
    })
    await number.report('business_username_updates', { ...about, username: 'flowers', status: 'approved' })
    expect(await ourNumber()).toMatchObject({
      quality: 'red',
      throughput: 1000,
      messagingLimit: 'TIER_2K',
      displayName: 'Asha’s flowers',
      username: 'flowers',
    })
    await number.report(
      'business_capability_update',
      { max_daily_conversations_per_business: 100_000 },
      now() + 5,
    )
    expect((await ourNumber()).messagingLimit).toBe('TIER_100K')
  })
})

describe('A number or an account reported as a JSON number', () => {
  test('is matched by its digits, among several', async () => {
    // Without a match, the first number would be used.
    const first = await connectNumber(parley, shop, { appSecret: number.appSecret })
    const second = await connectNumber(parley, shop, { appSecret: number.appSecret })
    const message = { from: ASHA, id: 'wamid.numbered', timestamp: String(now()), type: 'text' }
    const changes = [
      {
        field: 'messages',
        value: {
          metadata: { phone_number_id: Number(second.operatorId) },
          messages: [{ ...message, text: { body: 'Hi' } }],
        },
      },
      {
        field: 'phone_number_quality_update',
        value: { display_phone_number: Number(second.displayNumber), event: 'FLAGGED' },
      },
      { field: 'business_capability_update', value: { max_daily_conversations_per_business: '10000' } },
    ]
    await number.post({ entry: [{ id: Number(second.accountId), changes }] })
    await number.reportBody({ entry: [] })
    expect((await shop.get('/messages/wamid.numbered')).body.message.phoneNumberId).toBe(second.phoneNumberId)
    const { phoneNumbers } = (await shop.get('/phone-numbers')).body
    const findNumber = (id: string) => phoneNumbers.find((phoneNumber: Body) => phoneNumber.id === id)
    expect(findNumber(second.phoneNumberId)).toMatchObject({ quality: 'red', messagingLimit: 'TIER_10K' })
    expect(findNumber(first.phoneNumberId)).toMatchObject({ quality: 'unknown', messagingLimit: null })
  })
})

describe('Edits and deletions', () => {
  test('a deleted message keeps no content and no file', async () => {
    const id = await write({ type: 'image', image: { id: '1', mime_type: 'image/png', caption: 'Me' } })
    await write({ type: 'revoke', revoke: { original_message_id: id } })
    const { message } = (await shop.get(`/messages/${id}`)).body
    expect(message).toMatchObject({ type: 'image', content: {}, deletedAt: expect.any(String) })
    const files = await parley.system((tx) =>
      tx.sql('select 1 from media where workspace_id = $1', [shop.workspaceId]),
    )
    expect(files).toEqual([])
    expect(await events('message.received')).toHaveLength(1)
  })

  test('an edit that arrives before its message waits for it', async () => {
    await write({
      type: 'edit',
      edit: { original_message_id: 'wamid.later', message: { type: 'text', text: { body: 'Edited' } } },
    })
    const message = { from: ASHA, id: 'wamid.later', timestamp: String(now() - 9), type: 'text' }
    await number.report('messages', { messages: [{ ...message, text: { body: 'First' } }] })
    expect((await shop.get('/messages/wamid.later')).body.message).toMatchObject({
      content: { body: 'Edited' },
      originalContent: { body: 'First' },
    })
    const [received] = await events('message.received')
    expect(received.data.content).toEqual({ body: 'First' })
  })

  test('are erased with the contact', async () => {
    const id = await write()
    await write({ type: 'revoke', revoke: { original_message_id: id } })
    await shop.delete(`/contacts/+${ASHA}`)
    const rows = await parley.system((tx) =>
      tx.sql('select 1 from message_changes where workspace_id = $1', [shop.workspaceId]),
    )
    expect(rows).toEqual([])
  })
})

describe('A customer who changes number', () => {
  const RENEWED = '919812345699'
  const message = (from: string, overrides: object) => ({
    from,
    id: freshId(),
    timestamp: String(now()),
    ...overrides,
  })
  const textFrom = (from: string) => message(from, { type: 'text', text: { body: 'Hi' } })
  const numberChange = message(ASHA, {
    type: 'system',
    system: { type: 'user_changed_number', wa_id: RENEWED },
  })

  test.each([
    ['has written before', 1],
    ['is not a contact yet', 0],
  ])('and %s is one contact, even when all of it is reported in one update', async (_, earlier) => {
    for (let i = 0; i < earlier; i++) await write()
    await number.report('messages', {
      messages: [textFrom(ASHA), { ...numberChange, id: freshId() }, textFrom(RENEWED)],
    })
    expect((await shop.get('/contacts')).body.contacts).toMatchObject([{ phone: `+${RENEWED}` }])
    expect(await events('contact.created')).toHaveLength(1)
    expect((await shop.get('/messages')).body.messages).toHaveLength(earlier + 2)
    expect((await shop.get('/conversations')).body.conversations).toHaveLength(1)
  })
})

describe('A message typed in the phone app', () => {
  test('is a sent message; it opens no window, and its receipts count', async () => {
    const id = await type()
    expect(await conversation()).toMatchObject({ windowOpen: false, unreadCount: 0 })
    const [created] = await events('contact.created')
    expect(created.data.source).toBe('smb_echo')
    await status(id, 'delivered')
    expect((await shop.get(`/messages/${id}`)).body.message).toMatchObject({
      direction: 'outbound',
      status: 'delivered',
    })
    expect((await events()).map(({ event }) => event)).toEqual(['contact.created', 'message.status'])
  })
})

describe('A time in the future', () => {
  const AHEAD = now() + 30 * 86_400
  const profile = (name: string) => ({ contacts: [{ wa_id: ASHA, profile: { name } }] })
  const textMessage = (body: string, timestamp = now()) => ({
    messages: [{ from: ASHA, id: freshId(), timestamp: String(timestamp), type: 'text', text: { body } }],
  })

  test('is replaced by now: later reports are not older', async () => {
    await number.report('messages', { ...profile('Asha'), ...textMessage('STOP', AHEAD) })
    expect(Date.parse((await contact()).lastSeenAt)).toBeLessThanOrEqual(Date.now())
    expect((await contact()).optInStatus).toBe('opted_out')
    await number.report('messages', { ...profile('Asha Rao'), ...textMessage('START') })
    expect(await contact()).toMatchObject({ displayName: 'Asha Rao', optInStatus: 'opted_in' })
  })

  test('of an edit does not outrank the next one, and no receipt or call keeps it', async () => {
    const id = await write()
    const edit = (body: string) => ({
      type: 'edit',
      edit: { original_message_id: id, message: { type: 'text', text: { body } } },
    })
    await write(edit('First'), AHEAD)
    await write(edit('Second'))
    expect((await shop.get(`/messages/${id}`)).body.message.content).toEqual({ body: 'Second' })
    const typed = await type()
    const receipt = { id: typed, status: 'delivered', timestamp: String(AHEAD) }
    await number.report('messages', { statuses: [receipt] })
    const { message } = (await shop.get(`/messages/${typed}`)).body
    expect(Date.parse(message.deliveredAt)).toBeLessThanOrEqual(Date.now())
    const call = { id: 'wacid.ahead', from: ASHA, timestamp: String(AHEAD), direction: 'USER_INITIATED' }
    await number.report('calls', { calls: [{ ...call, event: 'terminate', status: 'FAILED' }] })
    const [missed] = await events('call.missed')
    expect(Date.parse(missed.data.startedAt)).toBeLessThanOrEqual(Date.now())
  })
})

describe('A report on which Parley does not act', () => {
  const unreadReports = (): Promise<{ fields: string[]; body: Body; receivedAt: Date }[]> =>
    parley.system((tx) =>
      tx.sql('select fields, body, received_at from unread_updates where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )

  test('is kept as received, and is never an error', async () => {
    await number.report('security', { event: 'PIN_CHANGED' })
    await number.report('field_of_tomorrow', { anything: [1, { at: 'all' }] })
    await write({ type: 'kind_of_tomorrow', kind_of_tomorrow: { a: 1 } })
    expect((await unreadReports()).map(({ fields, body }) => [fields, body.value.anything]).sort()).toEqual([
      [['field_of_tomorrow'], [1, { at: 'all' }]],
      [['security'], undefined],
    ])
    // A message of an unknown kind is stored as a message.
    const [received] = await events('message.received')
    expect(received.data).toMatchObject({ type: 'kind_of_tomorrow', content: { a: 1 } })
  })

  test('a failure of a message that has arrived is ignored, and kept as received', async () => {
    const id = await type()
    await status(id, 'delivered')
    await status(id, 'failed', { errors: [{ code: 131026, title: 'Message undeliverable' }] })
    expect((await shop.get(`/messages/${id}`)).body.message).toMatchObject({
      status: 'delivered',
      error: null,
    })
    expect(await unreadReports()).toMatchObject([
      { fields: ['messages.statuses.failed'], body: { value: { statuses: [{ id, status: 'failed' }] } } },
    ])
  })

  test('is deleted after seven days', async () => {
    await number.report('security', { event: 'PIN_CHANGED' })
    const sweep = (days: number) =>
      parley.system((tx) =>
        intakeRetentionSource({
          database: { query: tx.sql },
          clock: { ...systemClock, now: () => later(systemClock.now(), days * DAY_MS) },
          operatorDays: 7,
        }).runDue({}),
      )
    await sweep(6)
    expect(await unreadReports()).toHaveLength(1)
    await sweep(8)
    expect(await unreadReports()).toEqual([])
  })
})
