/** A customer's message keeps the time at which it was written (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../../../../../test/support/operator-webhooks.ts'

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

const now = () => Math.floor(Date.now() / 1000)
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
let last = 0
const write = (timestamp?: unknown) =>
  number.report('messages', {
    messages: [
      {
        from: '919812345678',
        id: `wamid.l${++last}`,
        type: 'text',
        text: { body: 'Hello' },
        ...(timestamp === undefined ? {} : { timestamp }),
      },
    ],
  })
const stored = async (): Promise<Body> => (await shop.get('/messages')).body.messages[0]
const received = async (): Promise<Body> =>
  (await shop.get('/events?events=message.received')).body.events[0].data

test('a message that arrives three hours late shows when it was written: on the message and in message.received', async () => {
  const written = now() - 3 * 3_600
  await write(String(written))
  const message = await stored()
  expect(message.sentAt).toBe(iso(written))
  expect(Date.parse(message.createdAt)).toBeGreaterThan(Date.parse(message.sentAt) + 3 * 3_599_000)
  expect((await received()).sentAt).toBe(iso(written))
})

test.each([
  ['missing', undefined],
  ['no time', 'soon'],
  ['before the chat network', '0'],
  ['negative', -5],
  ['in the far future', String(now() + 10 * 365 * 86_400)],
  ['some minutes ahead', String(now() + 200)],
])('a time that is %s is replaced by the time of its report', async (_, timestamp) => {
  const before = Date.now() - 1_000
  await write(timestamp)
  const { sentAt, createdAt } = await stored()
  expect(Date.parse(sentAt)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(sentAt)).toBeLessThanOrEqual(Date.parse(createdAt))
})

test('lists and cursors stay in the order in which messages were stored', async () => {
  await write(String(now()))
  await write(String(now() - 3_600))
  const { messages } = (await shop.get('/messages')).body
  expect(messages.map((message: Body) => Date.parse(message.sentAt) < Date.now() - 3_000_000)).toEqual([
    true,
    false,
  ])
})

test('a message typed in the phone app while Parley was down also keeps its time', async () => {
  const typed = now() - 3_600
  await number.report('smb_message_echoes', {
    message_echoes: [
      { to: '919812345678', id: 'wamid.e1', timestamp: String(typed), type: 'text', text: { body: 'Hi' } },
    ],
  })
  expect(await stored()).toMatchObject({ direction: 'outbound', sentAt: iso(typed) })
})
