import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { newId } from '../../../../core/ids.ts'

let parley: TestParley
let shop: TestWorkspace
/** All messages in the shop, newest first. */
let messages: Body[]
const OTHER_NUMBER = newId()

/**
 * Creates messages of every state, kind and number, in a mixed order; three customers write to two numbers.
 */
async function fill(): Promise<void> {
  const customers = ['+919812345678', '+919800000001', 'chan:IN.abc-1']
  for (const from of customers) await shop.inbound(from, 'hello')
  const { conversations } = (await shop.get('/conversations')).body
  const kinds = ['text', 'image', 'template', 'poll']
  const states = ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'received', 'received']
  await parley.system(async (tx) => {
    for (let i = 0; i < 240; i++) {
      const status = states[(i * 5) % states.length]!
      const conversation = conversations[i % 3]
      await tx.sql(
        `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, '{}', $8, $9)`,
        [
          shop.workspaceId,
          newId(),
          conversation.id,
          conversation.contact.id,
          i % 7 === 0 ? OTHER_NUMBER : shop.phoneNumberId,
          status === 'received' ? 'inbound' : 'outbound',
          kinds[(i * 3) % kinds.length],
          status,
          new Date(),
        ],
      )
    }
  })
}

const everyPage = async (query: string, limit: number): Promise<Body[]> => {
  const found: Body[] = []
  for (let cursor = ''; ; ) {
    const answer = await shop.get(`/messages?${query}&limit=${limit}${cursor}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.messages.length).toBeLessThanOrEqual(limit)
    found.push(...answer.body.messages)
    if (answer.body.nextCursor === null) return found
    expect(answer.body.nextCursor).toBe(found.at(-1).id)
    cursor = `&cursor=${answer.body.nextCursor}`
  }
}

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await fill()
  messages = await everyPage('', 100)
  expect(messages).toHaveLength(243)
})
afterAll(() => parley.close())

describe('GET /messages filters', () => {
  test.each([
    ['direction', (message: Body) => message.direction],
    ['status', (message: Body) => message.status],
    ['type', (message: Body) => message.type],
    ['phoneNumberId', (message: Body) => message.phoneNumberId],
    ['contactId', (message: Body) => message.contactId],
    ['conversationId', (message: Body) => message.conversationId],
  ])('by %s: exactly those, newest first, page by page', async (name, of) => {
    for (const value of new Set(messages.map(of).filter((value) => value !== null)))
      for (const limit of [100, 7])
        expect(await everyPage(`${name}=${value}`, limit), `${name}=${value}`).toEqual(
          messages.filter((message) => of(message) === value),
        )
  })

  test('by all combinations of them', async () => {
    const [contactId, conversationId] = [messages[0].contactId, messages[1].conversationId]
    const filters: Record<string, string[]> = {
      direction: ['inbound', 'outbound'],
      status: ['sent', 'failed'],
      type: ['text', 'poll', 'audio'],
      phoneNumberId: [OTHER_NUMBER, shop.phoneNumberId as string],
      contactId: [contactId],
      conversationId: [conversationId, messages[0].conversationId],
    }
    const names = Object.keys(filters)
    for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
      const pairs = names
        .filter((_, i) => chosen & (2 ** i))
        .map((name): [string, string] => [name, filters[name]![chosen % filters[name]!.length]!])
      const expected = messages.filter((message) => pairs.every(([name, value]) => message[name] === value))
      expect(await everyPage(new URLSearchParams(pairs).toString(), 30), String(pairs)).toEqual(expected)
    }
  })

  test('by phone: a number in any spelling, or chan:<user id>', async () => {
    const [{ contact }] = (await shop.get('/contacts?phone=%2B919812345678')).body.contacts.map(
      (contact: Body) => ({ contact: contact }),
    )
    const expected = messages.filter((message) => message.contactId === contact.id)
    expect(expected.length).toBeGreaterThan(50)
    for (const phone of ['%2B919812345678', '919812345678', '%2B91%2098123-45678', '+919812345678'])
      expect(await everyPage(`phone=${phone}`, 100), phone).toEqual(expected)
    const userIds = await everyPage('phone=chan:IN.abc-1', 100)
    expect(userIds).toHaveLength(
      messages.filter((message) => message.contactId === userIds[0].contactId).length,
    )
    expect(await everyPage(`phone=919812345678&contactId=${contact.id}`, 100)).toEqual(expected)
    expect(await everyPage(`phone=919812345678&contactId=${randomUUID()}`, 100)).toEqual([])
  })

  test('unknown values, and those of another workspace, return an empty list', async () => {
    const neighbor = await parley.workspace({ sandbox: true })
    await neighbor.inbound('+919812345678', 'hello')
    const [foreign] = (await neighbor.get('/messages')).body.messages
    for (const query of [
      `contactId=${foreign.contactId}`,
      `phoneNumberId=${foreign.phoneNumberId}`,
      `conversationId=${foreign.conversationId}`,
      `contactId=${randomUUID()}`,
      'phone=919899999999',
      'phone=chan:IN.nobody',
      'type=sticker',
      'type=kind_of_2030',
      'direction=inbound&status=sent',
    ])
      expect((await shop.get(`/messages?${query}`)).body, query).toEqual({ messages: [], nextCursor: null })
  })

  test('a wrong value returns 400 naming the parameter', async () => {
    for (const [name, value] of [
      ['direction', 'both'],
      ['direction', ''],
      ['type', 'Text'],
      ['type', 'a b'],
      ['type', ''],
      ['contactId', '7'],
      ['phoneNumberId', '+15550100000'],
      ['phone', 'nobody'],
      ['phone', ''],
      ['phone', 'x'.repeat(201)],
    ]) {
      const answer = await shop.get(`/messages?${name}=${encodeURIComponent(value!)}`)
      expect(answer, `${name}=${value}`).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path, `${name}=${value}`).toBe(name)
    }
  })
})
