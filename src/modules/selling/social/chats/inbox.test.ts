/** Direct chats of the photo network as rows of the inbox (src/modules/messaging/conversations/DECISIONS.md "Photo chats"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import {
  atNetwork,
  type ChatStarted,
  customerWrites,
  openSocialShop,
  type SocialShop,
} from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { newId } from '../../../../core/ids.ts'
import { newMid } from '../../../../social-network/simulator/calls/chats.ts'
import { insertConversations } from '../../../messaging/conversations/queries/conversations.ts'

let parley: TestParley
let shop: SocialShop

beforeAll(async () => {
  parley = await boot()
  shop = await openSocialShop(parley)
})
afterAll(() => parley?.close())

const newName = (): string => `asha_${randomUUID().slice(0, 8)}`
const writes = (more: object = {}): Promise<ChatStarted> =>
  customerWrites(parley, shop, { from: newName(), text: 'Is this in stock?', ...more })
const list = async (query = 'channel=all'): Promise<Body[]> =>
  (await shop.get(`/conversations?limit=100&${query}`)).body.conversations
const find = async (id: string, query?: string): Promise<Body> =>
  (await list(query)).find((conversation) => conversation.id === id)
const read = async (id: string): Promise<Body> => (await shop.get(`/conversations/${id}`)).body.conversation
/** Starts a chat on a number: a workspace with the photo network is no sandbox, so it has no number here. */
async function phoneChat(phone: string): Promise<string> {
  const { contact } = (await shop.post('/contacts', { phone })).body
  const id = newId()
  const parties = { contactId: contact.id, phoneNumberId: newId(), workspaceId: shop.workspaceId }
  await parley.system((tx) => insertConversations(tx, [{ ...parties, id, createdAt: new Date() }]))
  return id
}
const ask = (ids: string[], query = '') => list(`ids=${ids.join(',')}&${query}`)

describe('GET /conversations', () => {
  test('lists only chats of the chat network unless `channel` asks for others (spec 2.1)', async () => {
    const { conversationId } = await writes()
    const phoneId = await phoneChat('+919812345601')
    expect(await find(conversationId, '')).toBeUndefined()
    expect(await find(phoneId, '')).toMatchObject({ channel: 'chat' })
    expect(await find(conversationId, 'channel=social')).toMatchObject({ channel: 'social' })
    expect(await find(phoneId, 'channel=social')).toBeUndefined()
    expect((await list()).map(({ id }) => id)).toEqual(expect.arrayContaining([conversationId, phoneId]))
    expect(await ask([conversationId, phoneId])).toMatchObject([{ id: phoneId }])
    expect(await ask([conversationId, phoneId], 'channel=all')).toHaveLength(2)
    expect((await shop.get('/conversations?channel=fax')).status).toBe(400)
  })

  test('a direct chat has its customer, window, unread messages, wait, and last message', async () => {
    const from = newName()
    const { conversationId, customerId } = await writes({ from })
    await writes({ from, text: 'In blue?', photos: 2 })
    expect(await find(conversationId)).toMatchObject({
      id: conversationId,
      channel: 'social',
      contact: { phone: `sx:${customerId}`, username: from },
      phoneNumberId: shop.accountId,
      state: 'open',
      assignedAgentId: null,
      windowOpen: true,
      unreadCount: 2,
      waitingSince: expect.any(String),
      lastMessageAt: expect.any(String),
      lastMessage: { direction: 'inbound', type: 'image', status: null },
    })
  })

  test('both networks are in one order by latest activity, and by longest wait', async () => {
    const first = await writes()
    const second = await writes()
    const rank = async (query: string) => {
      const ids = (await list(query)).map(({ id }) => id)
      return ids.indexOf(first.conversationId) - ids.indexOf(second.conversationId)
    }
    expect(await rank('channel=all')).toBeGreaterThan(0)
    expect(await rank('channel=all&sort=waiting')).toBeLessThan(0)
    expect(await rank('channel=social')).toBeGreaterThan(0)
    expect(await rank('channel=social&state=open,pending')).toBeGreaterThan(0)
    const page = (await shop.get('/conversations?channel=social&limit=1')).body
    expect(page.conversations).toMatchObject([{ id: second.conversationId }])
    const next = (await shop.get(`/conversations?channel=social&limit=1&cursor=${page.nextCursor}`)).body
    expect(next.conversations).toMatchObject([{ id: first.conversationId }])
  })

  test('filters and a search hold together with the network', async () => {
    const from = newName()
    const { conversationId } = await writes({ from })
    const closedChat = await writes({ agoSeconds: 90_000 })
    expect(await find(conversationId, `channel=all&search=${from}`)).toBeDefined()
    expect(await find(conversationId, `channel=social&search=${from}`)).toBeDefined()
    expect(await list(`search=${from}`)).toEqual([])
    expect(await ask([conversationId], `channel=all&search=${from}`)).toHaveLength(1)
    const open = await list('channel=all&window=open')
    expect(open.map(({ id }) => id)).toContain(conversationId)
    expect(open.map(({ id }) => id)).not.toContain(closedChat.conversationId)
    expect(await find(closedChat.conversationId, 'channel=all&window=closed')).toBeDefined()
    expect(await find(conversationId, 'channel=social&unread=true')).toBeDefined()
  })

  test('a key needs the scope social:read, and the workspace the photo network', async () => {
    const { conversationId } = await writes()
    const narrow = await shop.as('admin', { scopes: ['conversations:read', 'conversations:write'] })
    const seen = async () => (await narrow.get('/conversations?channel=all&limit=100')).body.conversations
    expect((await seen()).map(({ channel }: Body) => channel)).not.toContain('social')
    expect((await narrow.get('/conversations?channel=social')).body.conversations).toEqual([])
    expect((await narrow.get(`/conversations/${conversationId}`)).status).toBe(404)
    expect((await narrow.patch(`/conversations/${conversationId}`, { state: 'resolved' })).status).toBe(404)
    await shop.set({ socialEnabled: false })
    expect((await shop.get(`/conversations/${conversationId}`)).status).toBe(404)
    expect(await find(conversationId)).toBeUndefined()
    await shop.set({ socialEnabled: true })
    expect(await read(conversationId)).toMatchObject({ id: conversationId })
  })
})

describe('counts and take next', () => {
  test('count direct chats only if they are asked for', async () => {
    const other = await openSocialShop(parley)
    await customerWrites(parley, other, { from: newName(), text: 'Hi' })
    const count = async (query = '') => (await other.get(`/conversations/counts${query}`)).body
    expect(await count()).toMatchObject({ open: 0, unassigned: 0, unread: 0 })
    expect(await count('?channel=all')).toMatchObject({ open: 1, unassigned: 1, unread: 1 })
    expect(await count('?channel=social')).toMatchObject({ open: 1, unassigned: 1, unread: 1 })
  })

  test('takes a waiting direct chat only if it is asked for', async () => {
    const other = await openSocialShop(parley)
    const { conversationId } = await customerWrites(parley, other, { from: newName(), text: 'Hi' })
    expect((await other.post('/conversations/take-next')).status).toBe(404)
    const found = await other.post('/conversations/take-next', { channel: 'all' })
    expect(found).toMatchObject({ status: 200, body: { conversation: { id: conversationId } } })
    expect(found.body.conversation.assignedAgentId).not.toBeNull()
  })
})

describe('a direct chat in the inbox', () => {
  test('is assigned, prioritized, noted, tagged, snoozed, and resolved like any chat', async () => {
    const from = newName()
    const { conversationId } = await writes({ from })
    const path = `/conversations/${conversationId}`
    const me = (await shop.get('/team')).body.members[0].id
    expect(
      (await shop.patch(path, { assignedAgentId: me, priority: 'high' })).body.conversation,
    ).toMatchObject({
      assignedAgentId: me,
      priority: 'high',
    })
    expect((await shop.post(`${path}/notes`, { body: 'Wants it in blue.' })).status).toBe(201)
    expect((await shop.get(`${path}/notes`)).body.notes).toMatchObject([{ body: 'Wants it in blue.' }])
    expect((await shop.post(`${path}/snooze`, { untilReply: true })).body.conversation.isSnoozed).toBe(true)
    await writes({ from, text: 'Hello?' })
    expect(await read(conversationId)).toMatchObject({ isSnoozed: false, state: 'open', unreadCount: 2 })
    expect((await shop.post(`${path}/read`)).body.conversation.unreadCount).toBe(0)
    expect((await shop.post(`${path}/unread`)).body.conversation.unreadCount).toBe(1)
    expect((await shop.patch(path, { state: 'resolved' })).body.conversation).toMatchObject({
      state: 'resolved',
      waitingSince: null,
    })
    await writes({ from, text: 'One more thing' })
    expect(await read(conversationId)).toMatchObject({ state: 'open', assignedAgentId: me })
    const { changes } = (await shop.get(`${path}/changes`)).body
    expect(changes.map(({ action }: Body) => action)).toEqual([
      'reopened',
      'resolved',
      'unsnoozed',
      'snoozed',
      'priority',
      'assigned',
    ])
  })

  test('an answer ends the wait, and the message names its author', async () => {
    const { conversationId } = await writes()
    const sent = await shop.post('/social/send', { conversationId, text: 'It is.' })
    expect(sent.status).toBe(200)
    expect(await find(conversationId)).toMatchObject({
      waitingSince: null,
      lastMessage: { id: sent.body.messageId, direction: 'outbound', text: 'It is.', status: 'sent' },
    })
    const { messages } = (await shop.get(`/social/conversations/${conversationId}/messages`)).body
    expect(messages[0]).toMatchObject({ sentBy: null, source: { kind: 'api_key' } })
    expect(messages[1]).toMatchObject({ sentBy: null, source: null })
  })

  test('a message typed in the network’s app answers the customer', async () => {
    const { conversationId, customerId } = await writes()
    const echo = {
      sender: { id: shop.networkId },
      recipient: { id: customerId },
      timestamp: Date.now(),
      message: { mid: newMid(), text: 'Yes, in blue.', is_echo: true },
    }
    await atNetwork(parley, shop, (store, account) => store.report(account, { messaging: echo }))
    await until(async () => (await read(conversationId)).waitingSince === null, 'the answer')
    const { messages } = (await shop.get(`/social/conversations/${conversationId}/messages`)).body
    expect(messages[0]).toMatchObject({ direction: 'outbound', source: { kind: 'phone_app' } })
  })

  test('fires no events about windows, and a macro with a saved reply changes nothing', async () => {
    const { conversationId } = await writes()
    const events = await parley.system((tx) =>
      tx.sql<{ name: string }>('select name from events where workspace_id = $1', [shop.workspaceId]),
    )
    const names = events.map(({ name }) => name)
    expect(names).toContain('social.message.received')
    expect(names.filter((name) => name.startsWith('conversation.'))).toEqual([])
    const { quickReply } = (await shop.post('/quick-replies', { shortcut: 'stock', text: 'It is.' })).body
    const actions = { quickReplyId: quickReply.id, priority: 'high' }
    const { macro } = (await shop.post('/macros', { name: 'In stock', actions })).body
    const ran = await shop.post(`/conversations/${conversationId}/run-macro`, { macroId: macro.id })
    expect(ran, ran.text).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await read(conversationId)).toMatchObject({ priority: 'normal' })
  })

  test('goes with its customer', async () => {
    const { conversationId } = await writes()
    const { contact } = await read(conversationId)
    await shop.post(`/conversations/${conversationId}/notes`, { body: 'x' })
    expect((await shop.delete(`/contacts/${contact.id}`)).status).toBe(200)
    await until(async () => (await shop.get(`/conversations/${conversationId}`)).status === 404, 'erased')
    const left = await parley.system((tx) =>
      tx.sql('select 1 from conversation_activity where conversation_id = $1', [conversationId]),
    )
    expect(left).toEqual([])
  })
})
