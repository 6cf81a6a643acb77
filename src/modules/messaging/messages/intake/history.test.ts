/** The history and the address book of the phone app (DECISIONS.md; docs/formats.md section 10). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../../../../../test/support/operator-webhooks.ts'
import { until } from '../../../../../test/support/until.ts'

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
const MEERA = '919820000001'
const DAY = 86_400
const now = () => Math.floor(Date.now() / 1000)
const folder = join(import.meta.dirname, '../../../../../test/fixtures/operator/coexistence')
const fixture = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

type Said = { id: string; at: number; text?: string; ours?: boolean; status?: string; type?: string }
const messageOf = (customer: string, { id, at, text, ours, status = 'READ', type = 'text' }: Said) => ({
  from: ours ? number.displayNumber : customer,
  id,
  timestamp: String(at),
  type,
  ...(text === undefined ? {} : { text: { body: text } }),
  history_context: { status },
})
type Chunk = { phase?: number; progress?: number; threads: Record<string, Said[]> }
const chunkOf = ({ phase = 0, progress = 50, threads }: Chunk) => ({
  history: [
    {
      metadata: { phase, chunk_order: 1, progress },
      threads: Object.entries(threads).map(([id, messages]) => ({
        id,
        messages: messages.map((message) => messageOf(id, message)),
      })),
    },
  ],
})
const report = (chunk: Chunk) => number.report('history', chunkOf(chunk))
const messages = async (): Promise<Body[]> => (await shop.get('/messages?limit=100')).body.messages
const textsOf = async () => (await messages()).map(({ content }) => content.body).toSorted()
const conversations = async (): Promise<Body[]> => (await shop.get('/conversations')).body.conversations
const events = async (): Promise<Body[]> => (await shop.get('/events?limit=100')).body.events
const historySync = async () =>
  (await shop.get('/phone-numbers')).body.phoneNumbers.find(({ id }: Body) => id === number.phoneNumberId)
    .historySync
const contactOf = async (digits: string) => (await shop.get(`/contacts/+${digits}`)).body.contact

describe('the history', () => {
  test('of the published example is stored once, in both directions, and nothing follows from it', async () => {
    const body = fixture('history')
    for (const message of body.entry[0].changes[0].value.history[0].threads.flatMap((t: Body) => t.messages))
      if (message.from === '15550783881') message.from = number.displayNumber
    await number.reportBody(body)
    await number.reportBody(body)
    const stored = await messages()
    expect(stored).toHaveLength(4)
    expect(stored.filter(({ direction }) => direction === 'inbound')).toMatchObject([
      { type: 'text', content: { body: 'Thanks!' }, importedFrom: 'phone_app' },
    ])
    expect(await events()).toEqual([])
    for (const chat of await conversations())
      expect(chat).toMatchObject({ state: 'resolved', unreadCount: 0, windowOpen: false })
    expect(await historySync()).toMatchObject({
      state: 'receiving',
      progress: 55,
      phase: 0,
      stored: 4,
      leftOut: 0,
    })
  })

  test('shows its progress, which chunks in any order never lower, until it is complete', async () => {
    expect(await historySync()).toBeNull()
    await report({
      phase: 2,
      progress: 80,
      threads: { [MEERA]: [{ id: 'wamid.1', at: now() - 100 * DAY, text: 'A' }] },
    })
    await report({
      phase: 1,
      progress: 40,
      threads: { [MEERA]: [{ id: 'wamid.2', at: now() - 50 * DAY, text: 'B' }] },
    })
    expect(await historySync()).toMatchObject({ state: 'receiving', progress: 80, phase: 2, stored: 2 })
    await report({ phase: 2, progress: 100, threads: {} })
    expect(await historySync()).toMatchObject({ state: 'complete', progress: 100, stored: 2 })
  })

  test('that the business declines to share is shown with the reason', async () => {
    const { metadata: _, ...declined } = fixture('history_declined')
    await number.report('history', declined)
    expect(await historySync()).toMatchObject({
      state: 'declined',
      reason: 'History sharing is turned off by the business',
    })
    await report({ threads: { [MEERA]: [{ id: 'wamid.3', at: now() - DAY, text: 'After all' }] } })
    expect(await historySync()).toMatchObject({ state: 'receiving', reason: null })
  })

  test('does not move or reopen a chat that goes on, and keeps its window', async () => {
    await number.report('messages', {
      messages: [
        { from: ASHA, id: 'wamid.live', timestamp: String(now()), type: 'text', text: { body: 'Now' } },
      ],
    })
    const [before] = await conversations()
    await report({
      threads: {
        [ASHA]: [
          { id: 'wamid.old', at: now() - 60 * DAY, text: 'Long ago' },
          // The live message is part of the history too.
          { id: 'wamid.live', at: now(), text: 'Now' },
        ],
      },
    })
    const [after] = await conversations()
    expect({ ...after, updatedAt: null }).toEqual({ ...before, updatedAt: null })
    expect(await textsOf()).toEqual(['Long ago', 'Now'])
  })

  test('opens the window only for a message of the last 24 hours', async () => {
    await report({ threads: { [ASHA]: [{ id: 'wamid.r', at: now() - 3600, text: 'An hour ago' }] } })
    await report({ threads: { [MEERA]: [{ id: 'wamid.s', at: now() - 2 * DAY, text: 'Two days ago' }] } })
    const open = (await conversations()).map(({ contact, windowOpen }) => [contact.phone, windowOpen])
    expect(Object.fromEntries(open)).toEqual({ [`+${ASHA}`]: true, [`+${MEERA}`]: false })
  })

  test('an old STOP changes no consent', async () => {
    await report({ threads: { [MEERA]: [{ id: 'wamid.stop', at: now() - 100 * DAY, text: 'STOP' }] } })
    expect(await contactOf(MEERA)).toMatchObject({ optInStatus: 'unknown' })
  })

  test.each([
    ['after', ['chunk', 'file']],
    ['before', ['file', 'chunk']],
  ])('a file that comes %s its message is in its place', async (_, order) => {
    const reports: Record<string, () => Promise<void>> = {
      chunk: () =>
        report({
          threads: {
            [MEERA]: [{ id: 'wamid.photo', at: now() - DAY, ours: true, type: 'media_placeholder' }],
          },
        }),
      file: async () => {
        const body = {
          entry: [
            {
              id: number.accountId,
              changes: [
                {
                  field: 'history',
                  value: {
                    metadata: {
                      display_phone_number: number.displayNumber,
                      phone_number_id: number.operatorId,
                    },
                    messages: [
                      {
                        from: number.displayNumber,
                        id: 'wamid.photo',
                        timestamp: String(now() - DAY),
                        type: 'image',
                        image: { id: '24230790383178626', mime_type: 'image/jpeg', caption: 'Pots' },
                      },
                    ],
                  },
                },
              ],
            },
          ],
        }
        expect((await number.post(body)).status).toBe(200)
      },
    }
    for (const name of order) await reports[name]!()
    const photo = await until(async () => {
      const [stored] = await messages()
      return stored?.type === 'image' && stored
    }, 'the file is in its message')
    expect(photo).toMatchObject({ direction: 'outbound', content: { caption: 'Pots' } })
    expect(photo.content.id).not.toBe('24230790383178626')
    expect(await messages()).toHaveLength(1)
  })

  test('a body of two thousand messages is stored completely', async () => {
    const written = Array.from({ length: 1_000 }, (_, i) => ({
      id: `wamid.l${i}`,
      at: now() - 90 * DAY + i,
      text: `Line ${i}`,
    }))
    const other = written.map((line) => ({ ...line, id: `${line.id}b` }))
    await report({ phase: 1, progress: 100, threads: { [ASHA]: written, [MEERA]: other } })
    expect(await historySync()).toMatchObject({ state: 'complete', stored: 2_000 })
    const first = (await conversations()).find(({ contact }) => contact.phone === `+${ASHA}`)
    const chat = (await shop.get(`/messages?conversationId=${first!.id}&limit=3`)).body.messages
    expect(chat.map(({ content }: Body) => content.body)).toEqual(['Line 999', 'Line 998', 'Line 997'])
  })

  test('gives the same chats in any order of its chunks, repeated or not', async () => {
    const chunks: Chunk[] = [
      { phase: 0, progress: 30, threads: { [ASHA]: [{ id: 'wamid.a', at: now() - 3600, text: 'a' }] } },
      {
        phase: 1,
        progress: 60,
        threads: {
          [ASHA]: [{ id: 'wamid.b', at: now() - 30 * DAY, text: 'b', ours: true }],
          [MEERA]: [{ id: 'wamid.c', at: now() - 31 * DAY, text: 'c' }],
        },
      },
      {
        phase: 2,
        progress: 100,
        threads: { [MEERA]: [{ id: 'wamid.d', at: now() - 120 * DAY, text: 'd' }] },
      },
      // Two chunks may overlap.
      { phase: 1, progress: 60, threads: { [MEERA]: [{ id: 'wamid.c', at: now() - 31 * DAY, text: 'c' }] } },
    ]
    const outcome = async () => ({
      texts: await textsOf(),
      chats: (await conversations())
        .map(({ contact, state, windowOpen }) => ({ phone: contact.phone, state, windowOpen }))
        .toSorted((a, b) => (a.phone < b.phone ? -1 : 1)),
      events: await events(),
      history: { ...(await historySync()), updatedAt: null, requestedAt: null },
    })
    for (const chunk of chunks) await report(chunk)
    const expected = await outcome()
    expect(expected).toMatchObject({ texts: ['a', 'b', 'c', 'd'], history: { state: 'complete', stored: 4 } })
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...chunks, ...chunks], { minLength: 8, maxLength: 8 }),
        async (order) => {
          shop = await parley.workspace()
          number = await connectNumber(parley, shop)
          for (const chunk of order) await report(chunk)
          expect(await outcome()).toEqual(expected)
        },
      ),
      { numRuns: 4 },
    )
  })
})

describe('the address book', () => {
  let second = 0
  const entry = (digits: string, name: string | null, at = now() + ++second, action = 'add') => ({
    type: 'contact',
    contact: {
      phone_number: digits,
      ...(name === null ? {} : { full_name: name, first_name: name.split(' ')[0] }),
    },
    action,
    metadata: { timestamp: String(at) },
  })
  const sync = (...state_sync: object[]) => number.report('smb_app_state_sync', { state_sync })

  test('its published example creates a contact silently, and a removal creates none', async () => {
    await number.reportBody(fixture('address_book'))
    expect(await contactOf('16505551234')).toMatchObject({ displayName: 'Pablo Morales' })
    expect((await shop.get('/contacts/+12125557890')).status).toBe(404)
    expect(await events()).toEqual([])
  })

  test('fills a contact without a name, and never replaces a name of the business', async () => {
    await shop.post('/contacts', { phone: `+${ASHA}`, displayName: 'Asha (wholesale)' })
    await number.report('messages', {
      messages: [
        { from: MEERA, id: 'wamid.m', timestamp: String(now()), type: 'text', text: { body: 'Hi' } },
      ],
    })
    await sync(entry(ASHA, 'Asha R'), entry(MEERA, 'Meera Iyer'))
    expect(await contactOf(ASHA)).toMatchObject({ displayName: 'Asha (wholesale)' })
    expect(await contactOf(MEERA)).toMatchObject({ displayName: 'Meera Iyer' })
  })

  test('an edit renames a contact that has the name of the address book, until the business renames it', async () => {
    await sync(entry(MEERA, 'Meera'))
    await sync(entry(MEERA, 'Meera Iyer'))
    const contact = await contactOf(MEERA)
    expect(contact).toMatchObject({ displayName: 'Meera Iyer' })
    await shop.patch(`/contacts/${contact.id}`, { displayName: 'Mrs. Iyer' })
    await sync(entry(MEERA, 'Meera I'))
    expect(await contactOf(MEERA)).toMatchObject({ displayName: 'Mrs. Iyer' })
  })

  test('the latest change counts, in any order of arrival', async () => {
    const at = now()
    await sync(entry(MEERA, 'Second', at + 20))
    await sync(entry(MEERA, 'First', at + 10))
    expect(await contactOf(MEERA)).toMatchObject({ displayName: 'Second' })
    await sync(entry(MEERA, 'Fourth', at + 40), entry(MEERA, 'Third', at + 30))
    expect(await contactOf(MEERA)).toMatchObject({ displayName: 'Fourth' })
  })

  test('a removed entry keeps the contact and its name', async () => {
    const at = now()
    await sync(entry(MEERA, 'Meera Iyer', at))
    await sync(entry(MEERA, null, at + 10, 'remove'))
    await sync(entry(MEERA, 'Older', at + 5))
    expect(await contactOf(MEERA)).toMatchObject({ displayName: 'Meera Iyer' })
  })

  test('an entry without a name creates a contact without one', async () => {
    await sync(entry(MEERA, null))
    expect(await contactOf(MEERA)).toMatchObject({ displayName: null })
  })
})

describe('messages typed in the phone app', () => {
  const echo = (message: object) =>
    number.report('smb_message_echoes', {
      message_echoes: [{ from: number.displayNumber, to: ASHA, timestamp: String(now()), ...message }],
    })
  const text = (body: string) => ({ type: 'text', text: { body } })

  test('follow their edits, and lose their text when they are deleted, in any order', async () => {
    await echo({ id: 'wamid.e1', ...text('Tomorow') })
    await echo({
      id: 'wamid.e2',
      type: 'edit',
      edit: { original_message_id: 'wamid.e1', message: text('Tomorrow') },
    })
    expect(await textsOf()).toEqual(['Tomorrow'])
    await echo({ id: 'wamid.e4', type: 'revoke', revoke: { original_message_id: 'wamid.e3' } })
    await echo({ id: 'wamid.e3', ...text('Wrong chat') })
    await echo({ id: 'wamid.e5', type: 'revoke', revoke: { original_message_id: 'wamid.e1' } })
    const stored = await messages()
    expect(stored).toHaveLength(2)
    for (const message of stored) expect(message).toMatchObject({ content: {}, direction: 'outbound' })
  })

  test('of unknown kinds are stored with their kind, once', async () => {
    for (let i = 0; i < 2; i++) await echo({ id: 'wamid.u', type: 'unsupported' })
    expect(await messages()).toMatchObject([{ type: 'unsupported', status: 'sent' }])
  })

  test('leave the chat of an agent with its agent, open, and read', async () => {
    await number.report('messages', {
      messages: [{ from: ASHA, id: 'wamid.q', timestamp: String(now()), ...text('Open?') }],
    })
    const [before] = await conversations()
    await echo({ id: 'wamid.a', ...text('Yes') })
    const [after] = await conversations()
    expect(after).toMatchObject({
      id: before!.id,
      state: 'open',
      assignedAgentId: before!.assignedAgentId,
      lastReadAt: before!.lastReadAt,
    })
  })
})

describe('the end of the connection', () => {
  const account = (event: string, more: object = {}) =>
    number.report('account_update', { event, ...more }, now())
  const shown = async () =>
    (await shop.get('/phone-numbers')).body.phoneNumbers.find(({ id }: Body) => id === number.phoneNumberId)

  test('stops sends with the reason, keeps the chats, and ends when the account reconnects', async () => {
    await number.report('messages', {
      messages: [
        { from: ASHA, id: 'wamid.hi', timestamp: String(now()), type: 'text', text: { body: 'Hi' } },
      ],
    })
    const send = () =>
      shop.post('/send', { to: `+${ASHA}`, type: 'text', text: 'Hi', phoneNumberId: number.phoneNumberId })
    await account('ACCOUNT_OFFBOARDED')
    expect(await shown()).toMatchObject({
      state: 'disconnected',
      stateReason: expect.stringContaining('another device'),
    })
    const stopped = await send()
    expect([stopped.status, stopped.body.error]).toEqual([409, 'sending_blocked'])
    expect(await messages()).toHaveLength(1)
    await account('ACCOUNT_RECONNECTED')
    expect(await shown()).toMatchObject({ state: 'active', stateReason: null })
    expect((await send()).status).toBe(200)
    await account('PARTNER_REMOVED', {
      waba_info: { waba_id: number.accountId },
      disconnection_info: { reason: 'PRIMARY_INACTIVITY', initiated_by: 'SYSTEM' },
    })
    expect(await shown()).toMatchObject({ stateReason: expect.stringContaining('not opened for too long') })
  })
})
