import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../../test/support/boot.ts'
import { whileReadsAreFull } from '../../../../../../test/support/costly-reads.ts'
import { planOf } from '../../../../../../test/support/plans.ts'
import { MANY_ROWS } from '../../../../../database/sql/costly-reads.ts'
import { addMember, setMember } from '../../../../platform/workspaces/operations/workspace-members.ts'
import {
  type ConversationListing,
  listConversationRows,
} from '../../../conversations/queries/conversation-lists.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const ASHA = '+919812300001'
const RAVI = '+919812300002'
const MEERA = '+919812300003'

const list = async (query = ''): Promise<Body[]> => {
  const { status, body } = await shop.get(`/conversations${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.conversations
}
const phones = async (query = ''): Promise<string[]> => (await list(query)).map((chat) => chat.contact.phone)
const chatWith = async (phone: string): Promise<Body> =>
  (await list()).find((chat) => chat.contact.phone === phone)
const write = (phone: string, text = 'Is the blue one in stock?') => shop.inbound(phone, text)
const answer = async (phone: string, text = 'It is') => {
  const sent = await shop.post('/send', { to: phone, type: 'text', text })
  expect(sent.status).toBe(200)
}
const patch = async (phone: string, body: object) => {
  const { id } = await chatWith(phone)
  expect((await shop.patch(`/conversations/${id}`, body)).status).toBe(200)
}

describe('the rows of the list', () => {
  test('show the last message, its sender, and its status', async () => {
    await write(ASHA)
    expect((await chatWith(ASHA)).lastMessage).toMatchObject({
      direction: 'inbound',
      type: 'text',
      text: 'Is the blue one in stock?',
      status: null,
    })
    await answer(ASHA)
    await shop.advance(10)
    expect((await chatWith(ASHA)).lastMessage).toMatchObject({
      direction: 'outbound',
      text: 'It is',
      status: 'read',
    })
  })

  test('show no message content to a key that may not read messages', async () => {
    await write(ASHA)
    const key = await shop.as('viewer', { scopes: ['conversations:read'] })
    const [row] = (await key.get('/conversations')).body.conversations
    expect(row).toMatchObject({ contact: { phone: ASHA }, lastMessage: null })
  })

  test('a chat without messages has no last message', async () => {
    await shop.post('/conversations', { phone: ASHA })
    expect(await chatWith(ASHA)).toMatchObject({ lastMessage: null, waitingSince: null, tags: [] })
  })

  test('contain the tags of the contact, except for a key that may only send', async () => {
    await write(ASHA)
    const { id, contact } = await chatWith(ASHA)
    await shop.patch(`/contacts/${contact.id}`, { tags: ['vip', 'pune'] })
    expect((await chatWith(ASHA)).tags).toEqual(['vip', 'pune'])
    const key = await shop.as('agent', { scopes: ['messages:send'] })
    expect((await key.get(`/conversations/${id}`)).body.conversation.tags).toEqual([])
  })
})

describe('a waiting customer', () => {
  test('waits since their first message after our last one', async () => {
    await write(ASHA, 'one')
    const since = (await chatWith(ASHA)).waitingSince
    expect(since).not.toBeNull()
    await shop.advance(60)
    await write(ASHA, 'two')
    expect((await chatWith(ASHA)).waitingSince).toBe(since)
    await answer(ASHA)
    expect((await chatWith(ASHA)).waitingSince).toBeNull()
    await shop.advance(60)
    await write(ASHA, 'three')
    expect(Date.parse((await chatWith(ASHA)).waitingSince)).toBeGreaterThan(Date.parse(since) + 60_000)
  })

  test('no longer waits in a resolved conversation', async () => {
    await write(ASHA)
    await patch(ASHA, { state: 'pending' })
    expect((await chatWith(ASHA)).waitingSince).not.toBeNull()
    await patch(ASHA, { state: 'resolved' })
    expect((await chatWith(ASHA)).waitingSince).toBeNull()
  })

  test('is listed by the time of waiting, page by page; answered customers are not listed', async () => {
    for (const phone of [ASHA, RAVI, MEERA]) await write(phone)
    await answer(RAVI)
    await write(ASHA, 'Anybody there?')
    expect(await phones('?sort=waiting')).toEqual([ASHA, MEERA])
    const first = (await shop.get('/conversations?sort=waiting&limit=1')).body
    expect(first.conversations.map((conversation: Body) => conversation.contact.phone)).toEqual([ASHA])
    // The cursor remains valid when its chat no longer waits.
    await answer(ASHA)
    const second = (await shop.get(`/conversations?sort=waiting&limit=1&cursor=${first.nextCursor}`)).body
    expect(second.conversations.map((conversation: Body) => conversation.contact.phone)).toEqual([MEERA])
    expect(second.nextCursor).toBeNull()
  })

  test('still waits after a message of a campaign', async () => {
    await write(ASHA)
    const { contact, waitingSince } = await chatWith(ASHA)
    const components = [{ type: 'BODY', text: 'The shop opens at ten.' }]
    const input = { name: 'opening', language: 'en_US', category: 'UTILITY', components }
    const { template } = (await shop.post('/templates', input)).body
    await shop.advance(10)
    const sent = await shop.post('/broadcasts', {
      name: 'Opening',
      templateId: template.id,
      phoneNumberId: shop.phoneNumberId,
      segment: { contactIds: [contact.id] },
      sendNow: true,
    })
    expect(sent.status, sent.text).toBe(201)
    await shop.advance(10)
    const after = await chatWith(ASHA)
    expect(after.lastMessage).toMatchObject({ direction: 'outbound', type: 'template' })
    expect(after.waitingSince).toBe(waitingSince)
  })
})

describe('the filters of the list', () => {
  beforeEach(async () => {
    for (const phone of [ASHA, RAVI, MEERA]) await write(phone)
  })

  test('state, one or several', async () => {
    await patch(ASHA, { state: 'pending' })
    await patch(RAVI, { state: 'resolved' })
    expect(await phones('?state=open')).toEqual([MEERA])
    expect((await phones('?state=open,pending')).sort()).toEqual([ASHA, MEERA])
    expect(await phones('?state=resolved')).toEqual([RAVI])
    expect((await shop.get('/conversations?state=closed')).status).toBe(400)
  })

  test('assignee: me, none, a member; together with the state', async () => {
    await patch(ASHA, { assignedAgentId: shop.ownerId })
    await patch(RAVI, { assignedAgentId: shop.ownerId, state: 'resolved' })
    expect((await phones('?assignee=me')).sort()).toEqual([ASHA, RAVI])
    expect(await phones('?assignee=me&state=open')).toEqual([ASHA])
    expect(await phones(`?assignee=${shop.ownerId}&state=open,pending`)).toEqual([ASHA])
    expect(await phones('?assignee=none')).toEqual([MEERA])
    const viewer = await shop.as('viewer')
    expect((await viewer.get('/conversations?assignee=me')).body).toMatchObject({
      error: 'invalid',
      issues: [{ path: 'assignee' }],
    })
  })

  test('chats assigned to a member who left have no assignee: in the list, the counts and the chat', async () => {
    const { memberId } = await parley.system((tx) =>
      addMember(
        tx,
        { workspaceId: shop.workspaceId, email: 'meera@example.com', name: 'Meera', role: 'agent' },
        new Date(),
      ),
    )
    await patch(ASHA, { assignedAgentId: memberId })
    await patch(RAVI, { assignedAgentId: memberId, state: 'resolved' })
    await patch(MEERA, { assignedAgentId: shop.ownerId })
    expect(await phones('?assignee=none')).toEqual([])
    await parley.system((tx) => setMember(tx, memberId, { leave: true }, new Date()))
    expect((await phones('?assignee=none')).sort()).toEqual([ASHA, RAVI])
    expect(await phones('?assignee=none&state=open')).toEqual([ASHA])
    expect(await phones(`?assignee=${memberId}`)).toEqual([])
    expect((await shop.get('/conversations/counts')).body).toMatchObject({ mine: 1, unassigned: 1, open: 2 })
    const { id, assignedAgentId } = await chatWith(ASHA)
    expect(assignedAgentId).toBeNull()
    expect((await shop.get(`/conversations/${id}`)).body.conversation.assignedAgentId).toBeNull()
    await patch(ASHA, { assignedAgentId: shop.ownerId })
    expect(await phones('?assignee=none')).toEqual([RAVI])
  })

  test('unread, priority, archived, tag, number and window', async () => {
    const { id, contact, phoneNumberId } = await chatWith(ASHA)
    await shop.post(`/conversations/${id}/read`)
    await patch(RAVI, { priority: 'urgent' })
    await patch(MEERA, { isArchived: true })
    await shop.patch(`/contacts/${contact.id}`, { tags: ['vip'] })
    expect((await phones('?unread=true')).sort()).toEqual([RAVI, MEERA])
    expect(await phones('?unread=false')).toEqual([ASHA])
    expect(await phones('?priority=urgent')).toEqual([RAVI])
    expect(await phones('?archived=true')).toEqual([MEERA])
    expect(await phones('?archived=false&unread=true')).toEqual([RAVI])
    expect(await phones('?tag=vip')).toEqual([ASHA])
    expect(await phones(`?phoneNumberId=${phoneNumberId}`)).toHaveLength(3)
    expect(await phones(`?phoneNumberId=${shop.workspaceId}`)).toEqual([])
    expect(await phones('?window=open')).toHaveLength(3)
    await shop.advance(90_000)
    await write(RAVI)
    expect(await phones('?window=open')).toEqual([RAVI])
    expect((await phones('?window=closed')).sort()).toEqual([ASHA, MEERA])
  })

  test('search, ids, and the order of latest activity in every filter', async () => {
    const { contact, id } = await chatWith(ASHA)
    await shop.patch(`/contacts/${contact.id}`, { displayName: 'Asha Rao' })
    expect(await phones('?search=asha')).toEqual([ASHA])
    expect(await phones('?search=0003')).toEqual([MEERA])
    expect(await phones('?search=nobody%20at%20all')).toEqual([])
    const other = await chatWith(RAVI)
    expect(await phones(`?ids=${id},${other.id.toUpperCase()}`)).toEqual([RAVI, ASHA])
    expect(await phones(`?ids=${shop.workspaceId}`)).toEqual([])
    expect((await shop.get('/conversations?ids=abc')).status).toBe(400)
    await write(ASHA)
    for (const query of [
      '',
      '?state=open',
      '?unread=true',
      '?assignee=none',
      '?window=open',
      '?search=98123',
    ])
      expect(await phones(query), query).toEqual([ASHA, MEERA, RAVI])
  })

  test('pages continue after the cursor', async () => {
    const first = (await shop.get('/conversations?state=open&limit=2')).body
    const next = (await shop.get(`/conversations?state=open&limit=2&cursor=${first.nextCursor}`)).body
    const phones = [...first.conversations, ...next.conversations].map(
      (conversation: Body) => conversation.contact.phone,
    )
    expect(phones).toEqual([MEERA, RAVI, ASHA])
    expect(next.nextCursor).toBeNull()
  })
})

test('a conversation can be marked as unread and read again', async () => {
  await write(ASHA)
  const { id } = await chatWith(ASHA)
  await shop.post(`/conversations/${id}/read`)
  const marked = await shop.post(`/conversations/${id}/unread`)
  expect(marked.body.conversation).toMatchObject({ unreadCount: 1 })
  expect(await phones('?unread=true')).toEqual([ASHA])
  await write(ASHA, 'And the red one?')
  expect((await shop.post(`/conversations/${id}/unread`)).body.conversation.unreadCount).toBe(2)
  await shop.post(`/conversations/${id}/read`)
  expect(await phones('?unread=true')).toEqual([])
})

test('the counts of the inbox tabs', async () => {
  for (const phone of [ASHA, RAVI, MEERA]) await write(phone)
  await patch(ASHA, { assignedAgentId: shop.ownerId })
  await patch(MEERA, { state: 'resolved' })
  expect((await shop.get('/conversations/counts')).body).toEqual({
    mine: 1,
    unassigned: 1,
    open: 2,
    unread: 3,
    snoozed: 0,
  })
  await patch(RAVI, { isArchived: true })
  expect((await shop.get('/conversations/counts')).body).toEqual({
    mine: 1,
    unassigned: 0,
    open: 1,
    unread: 2,
    snoozed: 0,
  })
  const viewer = await shop.as('viewer')
  expect((await viewer.get('/conversations/counts')).body.mine).toBe(0)
})

describe('among many conversations', () => {
  const fill = (count: number) =>
    parley.system((tx) =>
      tx.sql(
        `with people as (
           insert into contacts (workspace_id, id, phone, created_at, updated_at)
           select $1, gen_random_uuid(), '+9177' || lpad(i::text, 8, '0'), now(), now() from generate_series(1, $3::int) i
           returning id
         ), chats as (
           insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
           select $1, gen_random_uuid(), id, $2, now(), now() from people
           returning id
         )
         insert into conversation_activity (workspace_id, conversation_id, activity_id)
         select $1, id, id_bound(now() - interval '1 day') from chats`,
        [shop.workspaceId, shop.phoneNumberId, count],
      ),
    )

  test('rare ones are found, and only a limited number of searches for them run in parallel', async () => {
    await write(ASHA)
    await patch(ASHA, { assignedAgentId: shop.ownerId, priority: 'urgent' })
    await fill(MANY_ROWS + 10)
    expect(await phones('?assignee=me&state=open')).toEqual([ASHA])
    expect(await phones('?state=open&limit=1')).toEqual([ASHA])
    expect(await phones('?priority=urgent')).toEqual([ASHA])
    expect((await shop.get('/conversations/counts')).body).toMatchObject({ mine: 1, unread: 1 })
    await whileReadsAreFull(parley, shop.workspaceId, async () => {
      expect((await shop.get('/conversations?priority=urgent')).body.error).toBe('rate_limited')
      expect(await phones('?assignee=me&state=open')).toEqual([ASHA])
      expect(await phones('?state=open&archived=false&limit=1')).toEqual([ASHA])
      expect(await phones('?limit=1')).toEqual([ASHA])
    })
  })

  test('each query goes through its index, however few rows there were when it was planned', async () => {
    const base = { limit: 50, order: 'latest' as const }
    const plan = (listing: Partial<ConversationListing>) =>
      parley.system((tx) =>
        planOf(tx, shop.workspaceId, (ctx) =>
          listConversationRows(ctx, { ...base, ...listing }, async () => {
            throw new Error('what was found is few')
          }),
        ),
      )
    const open = { states: ['open' as const], assignee: shop.ownerId }
    expect(await plan(open)).toContain('conversations_open')
    expect(await plan({ unread: true })).toContain('conversations_unread')
    expect(await plan({ windowOpen: true, channel: 'chat' })).toContain(
      'conversations_window_due_in_workspace',
    )
    const windows = await plan({ windowOpen: true })
    expect(windows).toContain('conversations_window_due_in_workspace')
    expect(windows).toContain('conversations_photo_window')
    expect(await plan({ windowOpen: true, channel: 'social' })).toContain('conversations_photo_window')
    expect(await plan({ channel: 'social' })).toContain('conversation_activity_photo')
    for (const listing of [open, { unread: true }, { ids: [shop.ownerId] }, { contactIds: [shop.ownerId] }])
      expect(await plan(listing)).not.toMatch(/Seq Scan/)
    // No filter here has an index: the list is walked.
    for (const [order, index] of [
      ['latest', 'conversation_activity_latest'],
      ['waiting', 'conversation_activity_waiting'],
    ] as const) {
      const walk = await plan({ order, archived: false })
      expect(walk).toContain(`Index Scan`)
      expect(walk).toContain(index)
      expect(walk).not.toMatch(/Seq Scan|Sort/)
    }
  })
})
