import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answered,
  type Body,
  boot,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const asha = '+919812345678'
const ravi = '+919800000001'
const send = async (shop: TestWorkspace, to = asha, text = 'Hi'): Promise<string> => {
  const answer = await shop.post('/send', { to, type: 'text', text })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
async function openShop(...customers: string[]): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true })
  for (const from of customers.length > 0 ? customers : [asha]) await shop.inbound(from, 'hello')
  return shop
}
const ids = (page: Answered): string[] => page.body.messages.map((message: Body) => message.id)

describe('GET /messages/{id}', () => {
  test('takes our id or the channel message id, with the same answer', async () => {
    const shop = await openShop()
    const id = await send(shop)
    await shop.advance(2)
    const found = await shop.get(`/messages/${id}`)
    expect(found.status).toBe(200)
    const { message } = found.body
    expect(message).toMatchObject({ id, status: 'delivered', chanmid: expect.stringMatching(/^wamid\./) })
    expect((await shop.get(`/messages/${encodeURIComponent(message.chanmid)}`)).body).toEqual(found.body)
    expect((await shop.get(`/messages/${message.chanmid}`)).body).toEqual(found.body)
    expect((await shop.get(`/messages/${id.toUpperCase()}`)).body).toEqual(found.body)
  })

  test('contains the fields of the contract, times in UTC with milliseconds', async () => {
    const shop = await openShop()
    const id = await send(shop)
    await shop.advance(5)
    const { message } = (await shop.get(`/messages/${id}`)).body
    expect(Object.keys(message)).toEqual([
      'id',
      'chanmid',
      'conversationId',
      'contactId',
      'phoneNumberId',
      'direction',
      'type',
      'content',
      'text',
      'status',
      'replyTo',
      'sentBy',
      'automation',
      'source',
      'context',
      'originalContent',
      'editedAt',
      'deletedAt',
      'importedFrom',
      'pricing',
      'error',
      'skipReason',
      'createdAt',
      'sentAt',
      'deliveredAt',
      'readAt',
      'failedAt',
    ])
    for (const field of ['createdAt', 'sentAt', 'deliveredAt', 'readAt'])
      expect(message[field], field).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const times = [message.createdAt, message.sentAt, message.deliveredAt, message.readAt]
    expect(times).toEqual([...times].sort())
  })

  test('a missing message returns 404, for any format of the id', async () => {
    const shop = await openShop()
    for (const id of [randomUUID(), 'wamid.none', '../me', "' or 1=1 --", 'x'.repeat(300), '\u{1F600}'])
      expect(await shop.get(`/messages/${encodeURIComponent(id)}`), id).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
  })

  test('an id with NUL is rejected with the name of the parameter, never with 500', async () => {
    const shop = await openShop()
    for (const path of ['/messages/%00', '/messages/wamid%00x', '/contacts?search=a%00'])
      expect(await shop.get(path), path).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })
})

describe('GET /messages', () => {
  test('filters by conversation and by status, alone and together', async () => {
    const failing = '+12125550126'
    const shop = await openShop(asha, ravi, failing)
    const [read, failed, other] = [await send(shop), await send(shop, failing), await send(shop, ravi)]
    await shop.advance(5)
    const queued = await send(shop, ravi)
    const list = async (query: string) => ids(await shop.get(`/messages?${query}`))
    const conversationOf = async (id: string) =>
      (await shop.get(`/messages/${id}`)).body.message.conversationId
    const [ashas, ravis] = [await conversationOf(read), await conversationOf(other)]
    expect(await list('status=read')).toEqual([other, read])
    expect(await list('status=failed')).toEqual([failed])
    expect(await list('status=queued')).toEqual([queued])
    for (const status of ['sent', 'delivered', 'skipped']) expect(await list(`status=${status}`)).toEqual([])
    expect((await list(`conversationId=${ashas}`)).slice(0, 1)).toEqual([read])
    expect(await list(`conversationId=${ashas}`)).toHaveLength(2)
    expect(await list(`conversationId=${ravis}&status=read`)).toEqual([other])
    expect(await list(`conversationId=${randomUUID()}`)).toEqual([])
    expect(await list('')).toHaveLength(7)
  })

  test('a bad limit, cursor, status or conversationId returns 400 naming the parameter', async () => {
    const shop = await openShop()
    const cases: [string, string][] = [
      ['limit', '0'],
      ['limit', '101'],
      ['limit', '1.5'],
      ['limit', 'ten'],
      ['limit', ''],
      ['cursor', 'abc'],
      ['cursor', randomUUID()],
      ['cursor', ''],
      ['status', 'lost'],
      ['status', 'received'],
      ['conversationId', '7'],
    ]
    for (const [name, value] of cases) {
      const answer = await shop.get(`/messages?${name}=${value}`)
      expect(answer, `${name}=${value}`).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path, `${name}=${value}`).toBe(name)
    }
  })

  test('newest first, 50 by default, nextCursor null at the end', async () => {
    const shop = await openShop()
    const sent: string[] = []
    for (let i = 0; i < 55; i++) sent.unshift(await send(shop))
    const first = await shop.get('/messages')
    expect(ids(first)).toEqual(sent.slice(0, 50))
    expect(first.body.nextCursor).toBe(sent[49])
    const second = await shop.get(`/messages?cursor=${first.body.nextCursor}`)
    expect(ids(second).slice(0, 5)).toEqual(sent.slice(50))
    expect(second.body.nextCursor).toBeNull()
    const exact = await shop.get('/messages?limit=56')
    expect(ids(exact)).toHaveLength(56)
    expect(exact.body.nextCursor).toBeNull()
  })

  test('paging with any limits while rows are added returns each old row exactly once', async () => {
    const shop = await openShop(asha, ravi)
    for (let i = 0; i < 25; i++) await send(shop, i % 3 === 0 ? ravi : asha)
    await shop.advance(5)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', '&status=read'),
        async (limits, filter) => {
          const old = ids(await shop.get(`/messages?limit=100${filter}`))
          const seen: string[] = []
          let cursor = ''
          for (let page = 0; page <= old.length; page++) {
            const limit = limits[page % limits.length]
            const { body } = await shop.get(
              `/messages?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`,
            )
            expect(body.messages.length).toBeLessThanOrEqual(limit as number)
            seen.push(...body.messages.map((message: Body) => message.id))
            if (page % 3 === 0) await send(shop)
            if (body.nextCursor === null) break
            cursor = body.nextCursor
          }
          expect(seen).toEqual(old)
        },
      ),
      { numRuns: 8, endOnFailure: true },
    )
  })

  test('a cursor whose row was erased meanwhile remains valid', async () => {
    const shop = await openShop(asha, ravi)
    const remaining = await send(shop, asha)
    await send(shop, ravi)
    const first = await shop.get('/messages?limit=1')
    expect((await shop.delete(`/contacts/${ravi}`)).status).toBe(200)
    const next = await shop.get(`/messages?cursor=${first.body.nextCursor}`)
    expect(ids(next)[0]).toBe(remaining)
  })

  test('requires messages:read and any role', async () => {
    const shop = await openShop()
    expect((await (await shop.as('viewer')).get('/messages')).status).toBe(200)
    const narrowed = await shop.as('admin', { scopes: ['messages:send'] })
    expect(await narrowed.get('/messages')).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', required: 'messages:read' },
    })
  })

  test("never shows another workspace's messages", async () => {
    const [shop, neighbor] = [await openShop(), await openShop()]
    const foreignIds = ids(await neighbor.get('/messages'))
    expect(ids(await shop.get('/messages')).some((id) => foreignIds.includes(id))).toBe(false)
    const { conversationId } = (await neighbor.get('/messages')).body.messages[0]
    expect(ids(await shop.get(`/messages?conversationId=${conversationId}`))).toEqual([])
  })
})
