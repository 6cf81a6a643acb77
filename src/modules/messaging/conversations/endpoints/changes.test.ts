import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { signIn } from '../../../../../test/support/sessions.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const chatWith = async (phone: string): Promise<string> => {
  await shop.inbound(phone, 'Hello')
  return (await shop.get(`/messages?phone=${encodeURIComponent(phone)}`)).body.messages[0].conversationId
}

const changesOf = async (id: string, query = ''): Promise<Body[]> =>
  (await shop.get(`/conversations/${id}/changes${query}`)).body.changes

describe('changes of a conversation', () => {
  test('name the action and the member or key; unchanged fields are no change', async () => {
    const id = await chatWith('+919812300001')
    const ravi = await signIn(parley, shop, 'agent')
    const { members } = (await shop.get('/team')).body
    const { name } = members.find((member: Body) => member.id === ravi.memberId)
    const path = `/api/v1/conversations/${id}`
    await ravi.patch(path, { assignedAgentId: ravi.memberId, priority: 'high' })
    await ravi.patch(path, { assignedAgentId: ravi.memberId, priority: 'high', state: 'open' })
    await ravi.patch(path, { state: 'resolved' })
    await shop.patch(`/conversations/${id}`, { isArchived: true, assignedAgentId: null })
    const member = { kind: 'member', id: ravi.memberId, name }
    const key = { kind: 'api_key', id: expect.any(String), name: expect.stringMatching(/./) }
    const change = {
      id: expect.any(String),
      conversationId: id,
      assignee: null,
      team: null,
      priority: null,
      until: null,
      tag: null,
    }
    const createdAt = expect.any(String)
    const changes = await changesOf(id)
    expect(changes).toEqual([
      { ...change, action: 'archived', source: key, createdAt },
      { ...change, action: 'unassigned', source: key, createdAt },
      { ...change, action: 'resolved', source: member, createdAt },
      { ...change, action: 'priority', priority: 'high', source: member, createdAt },
      { ...change, action: 'assigned', assignee: { id: ravi.memberId, name }, source: member, createdAt },
    ])
    const firstPage = await shop.get(`/conversations/${id}/changes?limit=2`)
    const rest = await changesOf(id, `?limit=100&cursor=${firstPage.body.nextCursor}`)
    expect([...firstPage.body.changes, ...rest]).toEqual(changes)
  })

  test('of two concurrent resolutions, one is a change', async () => {
    const id = await chatWith('+919812300002')
    await Promise.all(
      Array.from({ length: 4 }, () => shop.patch(`/conversations/${id}`, { state: 'resolved' })),
    )
    expect((await changesOf(id)).map(({ action }) => action)).toEqual(['resolved'])
  })

  test('the message of a customer reopens a resolved chat', async () => {
    const id = await chatWith('+919812300003')
    await shop.patch(`/conversations/${id}`, { state: 'resolved' })
    await shop.inbound('+919812300003', 'One more question')
    const [reopened] = await changesOf(id)
    expect(reopened).toMatchObject({ action: 'reopened', source: { kind: 'customer', id: null, name: null } })
    expect(await changesOf(id)).toHaveLength(2)
  })

  test('tags that the contact gets and loses are changes, with their source, in order with the others', async () => {
    const phone = '+919812300004'
    const id = await chatWith(phone)
    const ravi = await signIn(parley, shop, 'agent')
    await ravi.patch(`/api/v1/contacts/${encodeURIComponent(phone)}`, { tags: ['vip', 'late'] })
    await shop.patch(`/conversations/${id}`, { priority: 'high' })
    // The same tags again, an upsert, and a change in bulk.
    await shop.patch(`/contacts/${phone}`, { tags: ['late', 'vip'] })
    await shop.post('/contacts', { phone, tags: ['vip'] })
    await shop.post('/contacts/bulk-tags', { phones: [phone], addTags: ['kurta', 'vip'] })
    const changes = await changesOf(id)
    expect(changes.map(({ action, tag, source }) => [action, tag, source.kind])).toEqual([
      ['tagged', 'kurta', 'api_key'],
      ['untagged', 'late', 'api_key'],
      ['priority', null, 'api_key'],
      ['tagged', 'late', 'member'],
      ['tagged', 'vip', 'member'],
    ])
    const pages: Body[] = []
    for (let cursor = ''; ; ) {
      const { body } = await shop.get(`/conversations/${id}/changes?limit=2${cursor}`)
      pages.push(...body.changes)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(pages).toEqual(changes)
  })

  test('tags of an erased contact leave nothing', async () => {
    const phone = '+919812300005'
    await chatWith(phone)
    await shop.patch(`/contacts/${phone}`, { tags: ['gone'] })
    await shop.delete(`/contacts/${phone}`)
    const rows = await parley.system((tx) => tx.sql("select 1 from contact_tag_changes where tag = 'gone'"))
    expect(rows).toEqual([])
  })

  test('an unknown chat has none', async () => {
    expect((await shop.get('/conversations/0190a000-0000-7000-8000-000000000000/changes')).status).toBe(404)
  })
})
