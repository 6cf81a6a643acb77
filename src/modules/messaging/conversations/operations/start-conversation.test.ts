import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { eventsOf, everythingOf } from '../../../../../test/support/records.ts'
import { cloudShop } from '../../../../../test/support/stand-in-operator.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

const asha = '+919812345678'

async function refused(body: unknown, status: number, error: string, field?: string): Promise<void> {
  const before = await everythingOf(parley, shop.workspaceId)
  const answer = await shop.post('/conversations', body)
  expect(answer, JSON.stringify(body)).toMatchObject({ status, body: { error } })
  if (field) expect(answer.body.issues[0].path).toBe(field)
  expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
}

describe('POST /conversations', () => {
  test('starts a conversation (201), and finds it the next time (200)', async () => {
    const client = await parley.workspace({ sandbox: true })
    const first = await client.post('/conversations', { phone: asha })
    expect(first.status, first.text).toBe(201)
    expect(first.body).toMatchObject({
      created: true,
      conversation: {
        contact: { phone: asha, name: null },
        phoneNumberId: client.phoneNumberId,
        state: 'open',
        window: { open: false, expiresAt: null },
        lastMessageAt: null,
        unreadCount: 0,
        lastReadAt: null,
      },
    })
    const repeated = await client.post('/conversations', { phone: '919812345678' })
    expect(repeated).toMatchObject({ status: 200, body: { ...first.body, created: false } })
    const { conversation } = first.body
    expect((await client.get(`/conversations/${conversation.id}`)).body).toEqual({ conversation })
    expect((await client.get('/conversations')).body.conversations).toEqual([
      { ...conversation, lastMessage: null },
    ])
  })

  test('a new number becomes a contact with source api; no window opens, nothing is sent', async () => {
    const client = await parley.workspace({ sandbox: true })
    const { conversation } = (await client.post('/conversations', { phone: asha })).body
    const events = await eventsOf(parley, client.workspaceId)
    expect(events.map((event) => [event.name, event.data.source])).toEqual([['contact.created', 'api']])
    expect(events[0]!.data.contactId).toBe(conversation.contact.id)
    expect((await client.get('/messages')).body.messages).toEqual([])
    const send = await client.post('/send', { to: asha, type: 'text', text: 'Hi' })
    expect(send).toMatchObject({ status: 422, body: { error: 'outside_24h_window' } })
    // The customer's first message arrives in the conversation that was started.
    await client.inbound(asha, 'hello')
    const { conversations } = (await client.get('/conversations')).body
    expect(conversations.map((conversation: Body) => conversation.id)).toEqual([conversation.id])
    expect(conversations[0]).toMatchObject({ windowOpen: true, unreadCount: 1 })
  })

  test('accepts a contact by id, and chan:<user id> of a customer who wrote before', async () => {
    const { contact } = (await shop.post('/contacts', { phone: '+919800000001' })).body
    const byId = await shop.post('/conversations', { contactId: contact.id })
    expect(byId).toMatchObject({ status: 201, body: { conversation: { contact: { id: contact.id } } } })
    expect((await shop.post('/conversations', { phone: '+91 98000 00001' })).status).toBe(200)
    await shop.inbound('chan:IN.abc-1', 'hello')
    const existing = await shop.post('/conversations', { phone: 'chan:IN.abc-1' })
    expect(existing).toMatchObject({
      status: 200,
      body: { conversation: { contact: { userId: 'IN.abc-1' } } },
    })
    await refused({ phone: 'chan:IN.nobody' }, 400, 'invalid_reference', 'phone')
  })

  test("a number without country code gets the sending number's code", async () => {
    const { body } = await shop.post('/conversations', { phone: '2125550199' })
    expect(body.conversation.contact.phone).toBe('+12125550199')
  })

  test('each number of the workspace has its own conversation with a contact', async () => {
    const secondShop = await cloudShop({ ...parley, workspace: () => parley.workspace({ sandbox: true }) })
    const [first, second] = await Promise.all(
      [secondShop.phoneNumberId, secondShop.cloudNumberId].map((phoneNumberId) =>
        secondShop.post('/conversations', { phone: asha, phoneNumberId }),
      ),
    )
    expect([first!.status, second!.status]).toEqual([201, 201])
    expect(second!.body.conversation.contact).toEqual(first!.body.conversation.contact)
    expect(second!.body.conversation.id).not.toBe(first!.body.conversation.id)
  })

  test('concurrent duplicates create one conversation and one contact', async () => {
    const client = await parley.workspace({ sandbox: true })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => client.post('/conversations', { phone: asha })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(39)
    expect(new Set(answers.map((answer) => answer.body.conversation.id)).size).toBe(1)
    expect((await client.get('/contacts')).body.contacts).toHaveLength(1)
  })

  test('a retry with the same Idempotency-Key gets the first answer', async () => {
    const key = { idempotencyKey: randomUUID() }
    const first = await shop.post('/conversations', { phone: '+919800000077' }, key)
    const repeated = await shop.post('/conversations', { phone: '+919800000077' }, key)
    expect([repeated.status, repeated.body]).toEqual([201, first.body])
  })

  test('a new contact past the limit returns 402, a known contact works; the error writes nothing', async () => {
    const full = await parley.workspace({ sandbox: true })
    await full.set({ contactLimit: 1 })
    expect((await full.post('/conversations', { phone: asha })).status).toBe(201)
    const before = await everythingOf(parley, full.workspaceId)
    const answer = await full.post('/conversations', { phone: '+919800000002' })
    expect(answer).toMatchObject({ status: 402, body: { error: 'plan_limit_reached' } })
    expect(await everythingOf(parley, full.workspaceId)).toEqual(before)
    expect((await full.post('/conversations', { phone: asha })).status).toBe(200)
  })

  test('an invalid field returns an error that names the field', async () => {
    const neighbor = await parley.workspace({ sandbox: true })
    const { contact } = (await neighbor.post('/contacts', { phone: asha })).body
    await refused({}, 400, 'invalid', 'contactId')
    await refused({ phone: '' }, 400, 'invalid', 'phone')
    await refused({ phone: 'nobody' }, 400, 'invalid', 'phone')
    await refused({ contactId: 'x' }, 400, 'invalid', 'contactId')
    await refused({ contactId: randomUUID(), phone: asha }, 400, 'invalid', 'phone')
    await refused({ phone: asha, name: 'Asha' }, 400, 'invalid', 'name')
    await refused({ contactId: randomUUID() }, 400, 'invalid_reference', 'contactId')
    await refused({ contactId: contact.id }, 400, 'invalid_reference', 'contactId')
    await refused({ phone: asha, phoneNumberId: neighbor.phoneNumberId }, 400, 'invalid_reference')
    await refused({ phone: shop.number }, 400, 'cannot_send_to_self')
    const numberless = await parley.workspace()
    expect(await numberless.post('/conversations', { phone: asha })).toMatchObject({
      status: 409,
      body: { error: 'sending_blocked' },
    })
  })
})
