/** Reactions need no answer (src/modules/messaging/conversations/DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { automate, runsOf } from '../../../../../test/support/automations.ts'
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

const ASHA = '919812345678'
const HOUR = 3_600
const now = () => Math.floor(Date.now() / 1000)
let last = 0
const write = async (overrides: object, timestamp = now()): Promise<string> => {
  const id = `wamid.r${++last}`
  await number.report('messages', {
    messages: [{ from: ASHA, id, timestamp: String(timestamp), ...overrides }],
  })
  return id
}
const say = (body: string, timestamp?: number) => write({ type: 'text', text: { body } }, timestamp)
const react = (message_id: string, emoji?: string, timestamp?: number) =>
  write({ type: 'reaction', reaction: { message_id, ...(emoji === undefined ? {} : { emoji }) } }, timestamp)
const chats = async (): Promise<Body[]> => (await shop.get('/conversations')).body.conversations
const events = async (name: string): Promise<Body[]> =>
  (await shop.get(`/events?limit=100&events=${name}`)).body.events

describe('a reaction', () => {
  test('and its removal leave a resolved chat resolved and read, without a waiting customer or a new last message', async () => {
    const message = await say('Where is my order?', now() - HOUR)
    const [{ id }] = await chats()
    await shop.post(`/conversations/${id}/read`)
    await shop.patch(`/conversations/${id}`, { state: 'resolved' })
    const [before] = await chats()
    await react(message, '👍')
    await react(message)
    const [after] = await chats()
    expect(after.state).toBe('resolved')
    const { windowExpiresAt: windowBefore, window: _, updatedAt: __, ...rest } = before
    const { windowExpiresAt, window: ___, updatedAt: ____, ...others } = after
    expect(others).toEqual(rest)
    expect(Date.parse(windowExpiresAt), 'it extends the window').toBeGreaterThan(Date.parse(windowBefore))
    expect(after.lastMessage.type).toBe('text')
    const reported = await events('message.received')
    expect(reported.map(({ data }) => [data.type, data.content.emoji])).toEqual([
      ['reaction', undefined],
      ['reaction', '👍'],
      ['text', undefined],
    ])
  })

  test('does not move its chat up in the list', async () => {
    const message = await say('First', now() - HOUR)
    await number.report('messages', {
      messages: [
        {
          from: '919812345679',
          id: 'wamid.other',
          timestamp: String(now() - 60),
          type: 'text',
          text: { body: 'Second' },
        },
      ],
    })
    await react(message, '❤️')
    expect((await chats()).map(({ contact }) => contact.phone)).toEqual(['+919812345679', `+${ASHA}`])
  })

  test('opens a closed window', async () => {
    const message = await say('Long ago', now() - 30 * HOUR)
    expect((await chats())[0].windowOpen ?? false).toBe(false)
    await react(message, '👍')
    expect(await events('conversation.opened')).toHaveLength(1)
    const sent = await shop.post('/send', { to: `+${ASHA}`, type: 'text', text: 'Thank you' })
    expect(sent.status, sent.text).toBe(200)
  })

  test('starts no automation of messages', async () => {
    const { id } = await automate(shop, {
      trigger: { event: 'message.received' },
      actions: [{ type: 'add_note', text: 'It came', on: 'conversation' }],
    })
    const message = await say('Hello')
    await react(message, '👍')
    await say('One more')
    const runs = await runsOf(shop, id, 2)
    expect(runs).toHaveLength(2)
  })
})
