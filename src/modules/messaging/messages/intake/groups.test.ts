/** Group messages are not stored (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
const chats = async (): Promise<Body[]> => (await shop.get('/conversations')).body.conversations

describe('a group', () => {
  const GROUP = 'Y2FwaV9ncm91cDoxOTUwNTU1MDA3OToxMjAzNjMzOTQzMjAdOTY0MTUZD'
  const stored = async () => {
    const found: Record<string, number> = {}
    for (const table of ['contacts', 'conversations', 'messages', 'unread_updates', 'operator_updates']) {
      const [row] = await parley.system((tx) =>
        tx.sql<{ count: number }>(`select count(*)::int as count from ${table} where workspace_id = $1`, [
          shop.workspaceId,
        ]),
      )
      found[table] = row!.count
    }
    return found
  }
  const NOTHING = { contacts: 0, conversations: 0, messages: 0, unread_updates: 0, operator_updates: 0 }

  test('leaves nothing: no contact, no message, no window, no event', async () => {
    await write({ type: 'text', text: { body: 'What do you all think?' }, group_id: GROUP })
    await write({ type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' }, group_id: GROUP })
    await write({ type: 'revoke', revoke: { original_message_id: 'wamid.x' }, group_id: GROUP })
    await number.report('messages', {
      statuses: [
        {
          id: 'wamid.g1',
          status: 'delivered',
          timestamp: String(now()),
          recipient_id: GROUP,
          recipient_type: 'group',
        },
        {
          id: 'wamid.g1',
          status: 'read',
          timestamp: String(now()),
          recipient_id: GROUP,
          recipient_participant_id: ASHA,
        },
      ],
    })
    await number.report('smb_message_echoes', {
      message_echoes: [
        {
          to: GROUP,
          recipient_type: 'group',
          id: 'wamid.e',
          timestamp: String(now()),
          type: 'text',
          text: { body: 'Hi all' },
        },
      ],
    })
    for (const field of [
      'group_lifecycle_update',
      'group_participants_update',
      'group_settings_update',
      'group_status_update',
    ])
      await number.report(field, {
        groups: [{ group_id: GROUP, type: 'group_create', timestamp: String(now()) }],
      })
    expect(await stored()).toEqual(NOTHING)
    expect((await shop.get('/events')).body.events).toEqual([])
    const figures = await parley.anonymous.get(`${parley.url}/metrics`)
    expect(figures.text).toMatch(/parley_group_reports_total\{field="messages"\} [1-9]/)
  })

  test('does not open the window of a customer who also has a private chat', async () => {
    await say('Long ago', now() - 30 * HOUR)
    const [before] = await chats()
    await write({ type: 'text', text: { body: 'In the group' }, group_id: GROUP })
    expect(await chats()).toEqual([before])
    expect((await shop.get('/messages')).body.messages).toHaveLength(1)
    const sent = await shop.post('/send', { to: `+${ASHA}`, type: 'text', text: 'Hello' })
    expect(sent.body.error).toBe('outside_24h_window')
  })
})
