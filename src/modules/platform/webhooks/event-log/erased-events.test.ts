/** The part of the log that remains after a contact's erasure, and after its sender deleted a message. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../../../../../test/support/operator-webhooks.ts'
import { makeReceivers } from '../../../../../test/support/receiver.ts'
import { until } from '../../../../../test/support/until.ts'
import { EVENTS } from '../../../../catalog.ts'
import { isUuid, newId } from '../../../../core/ids.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let shop: TestWorkspace
let number: ConnectedNumber
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true })
  number = await connectNumber(parley, shop)
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

let people = 0
/** Creates a customer, with functions that send the operator's reports about them. */
function customer() {
  const digits = `91981239${String(1_000 + people++)}`
  const contacts = [{ wa_id: digits, profile: { name: 'Asha Rao' } }]
  const timestamp = String(Math.floor(Date.now() / 1000))
  let messages = 0
  const write = async (type: string, content: object): Promise<string> => {
    const id = `wamid.${digits}.${messages++}`
    await number.report('messages', {
      contacts,
      messages: [{ from: digits, id, timestamp, type, [type]: content }],
    })
    return id
  }
  return {
    phone: `+${digits}`,
    write,
    edit: (messageId: string, body: string) =>
      write('edit', { original_message_id: messageId, message: { type: 'text', text: { body } } }),
    revoke: (messageId: string) => write('revoke', { original_message_id: messageId }),
    erase: async () => expect((await shop.delete(`/contacts/+${digits}`)).status).toBe(200),
    events: async (workspace = shop): Promise<Body[]> => {
      const { body } = await workspace.get(`/contacts/+${digits}`)
      const { events } = (await workspace.get('/events?limit=100')).body
      return events.filter((event: Body) =>
        [event.data.contactId, event.data.contact?.id].includes(body.contact?.id),
      )
    },
  }
}

/** Returns the newest event of a name. */
const latest = async (name: string): Promise<Body> =>
  (await shop.get(`/events?limit=1&events=${name}`)).body.events[0].data

const capture = (fields: Record<string, string>) =>
  parley.anonymous.post(`/api/leads/capture/${shop.captureToken}`, JSON.stringify(fields), {
    headers: { 'content-type': 'application/json' },
  })

describe('of an erased contact', () => {
  test('lead form and in-chat form answers are removed completely, also under keys that end like our ids', async () => {
    const asha = customer()
    const own = newId()
    await capture({ phone: asha.phone, passportId: 'AB123', upiId: 'asha@upi', orderId: own, utm_id: own })
    const { leadId } = await latest('form.submitted')
    const response = { flow_token: 't', passportId: 'AB123', upiId: 'asha@upi', id: own }
    await asha.write('interactive', {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(response) },
    })
    const { messageId, contactId } = await latest('flow.completed')
    const { conversationId } = await latest('message.received')
    await asha.erase()
    expect(await latest('form.submitted')).toEqual({ leadId })
    expect(await latest('flow.completed')).toEqual({ messageId, contactId })
    expect(await latest('message.received')).toEqual({
      messageId,
      conversationId,
      contact: { id: contactId },
    })
  })

  test('of each kind of event only its declared ids remain: UUIDs, in their fields', async () => {
    const { contact } = (await shop.post('/contacts', { phone: customer().phone })).body
    const kinds = EVENTS.filter((kind) => kind.name !== 'contact.deleted')
    // Values that an earlier release, or a manual change, may have left.
    const odd = {
      contactId: 'asha@upi',
      leadId: { id: newId() },
      extra: { id: newId() },
      upiId: newId(),
      conversations: [
        'asha@upi',
        newId(),
        [newId()],
        { conversationId: 'asha@upi', phone: '+91', id: newId() },
      ],
      items: [newId()],
    }
    for (const { name, example } of kinds)
      for (const data of [example, { ...example, ...odd }])
        await parley.system((tx) =>
          tx.sql(
            `insert into events (workspace_id, id, name, data, created_at, contact_id) values ($1, $2, $3, $4, now(), $5)`,
            [shop.workspaceId, newId(), name, JSON.stringify(data), contact.id],
          ),
        )
    expect((await shop.delete(`/contacts/${contact.id}`)).status).toBe(200)
    const left = await parley.system((tx) =>
      tx.sql<{ name: string; data: Body }>(
        `select name, data from events where workspace_id = $1 and contact_id = $2 and name <> 'contact.deleted' order by id`,
        [shop.workspaceId, contact.id],
      ),
    )
    expect(left).toHaveLength(kinds.length * 2 + 1)
    const leaves = (data: Body): unknown[] =>
      typeof data === 'object' && data !== null ? Object.values(data).flatMap(leaves) : [data]
    for (const { name, data } of left) {
      expect([name, leaves(data).filter((value) => !isUuid(String(value)))]).toEqual([name, []])
      for (const key of ['extra', 'upiId', 'fields', 'content', 'items'])
        expect([name, data[key]]).toEqual([name, undefined])
    }
    for (const { name, example } of kinds) {
      const { extra: _, fields: __, content: ___, ...declaredData } = example as Body
      const [plain] = left.filter((event) => event.name === name && event.data.contactId !== contact.id)
      const ids = leaves(declaredData).filter((value) => isUuid(String(value)))
      expect([name, leaves(plain!.data).sort()]).toEqual([name, ids.sort()])
    }
  })

  test('the event of a merge keeps the ids of the merged chats', async () => {
    const [asha, meera] = [customer(), customer()]
    for (const contact of [asha, meera]) await contact.write('text', { body: 'hi' })
    expect((await shop.post(`/contacts/${asha.phone}/merge`, { from: meera.phone })).status).toBe(200)
    const { contactId, mergedContactId, conversations } = await latest('contact.merged')
    expect(conversations).toEqual([
      { conversationId: expect.any(String), mergedConversationId: expect.any(String) },
    ])
    await asha.erase()
    expect(await latest('contact.merged')).toEqual({ contactId, mergedContactId, conversations })
  })

  test("receivers' answers to its events are removed too, even of an attempt under way", async () => {
    const own = await parley.workspace({ sandbox: true })
    const receiver = await receivers.open((response, { raw }) => void response.writeHead(500).end(raw))
    const { body } = await own.post('/webhooks', {
      url: receiver.url,
      events: ['contact.created', 'contact.updated'],
    })
    const { contact } = (await own.post('/contacts', { phone: customer().phone, displayName: 'Asha' })).body
    const answers = async () =>
      (await own.get(`/webhooks/${body.webhook.id}/deliveries?limit=100`)).body.deliveries
        .filter((delivery: Body) => delivery.status === 'failed')
        .map((delivery: Body) => delivery.response?.body ?? null)
    await until(async () => (await answers()).length === 1, 'the first attempt has failed')
    await own.advance(6)
    expect(await answers()).toEqual(Array(2).fill(expect.stringContaining('Asha')))
    let answer = (): void => {}
    receiver.answer((response, { raw }) => {
      answer = () => response.writeHead(500).end(raw)
    })
    await own.patch(`/contacts/${contact.id}`, { displayName: 'Asha Rao' })
    await receiver.wait(3)
    expect((await own.delete(`/contacts/${contact.id}`)).status).toBe(200)
    answer()
    await until(async () => (await answers()).length === 3, 'the running attempt has failed')
    expect(await answers()).toEqual([null, null, null])
  })
})

describe('of a message that the customer deleted', () => {
  test("no text remains: in its events, its edits, and the operator's reports of it", async () => {
    const meera = customer()
    const id = await meera.write('text', { body: 'my card is code-4111x' })
    const { messageId, conversationId, contact } = await latest('message.received')
    await meera.edit(id, 'my card was code-4111x')
    await meera.write('text', { body: 'and 4112 is another' })
    await meera.revoke(id)
    const { message } = (await shop.get(`/messages/${messageId}`)).body
    expect(message).toMatchObject({ content: {}, deletedAt: expect.any(String) })
    const events = await meera.events()
    const [other, own] = events.filter((event) => event.event === 'message.received')
    expect(own.data).toEqual({ messageId, conversationId, contact: { id: contact.id } })
    expect(other.data.content).toEqual({ body: 'and 4112 is another' })
    expect(await findStores('code-4111x')).toEqual([])
    // An edit that arrives after the deletion is empty too.
    await meera.edit(id, 'it was code-4111x, was it not?')
    expect(await findStores('code-4111x')).toEqual([])
    expect((await shop.get(`/messages/${messageId}`)).body.message.content).toEqual({})
  })

  test('nor in a body that was kept because another part of it was not understood', async () => {
    const meera = customer()
    const from = meera.phone.slice(1)
    const own = { from, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text' }
    await number.report('messages', {
      messages: [{ ...own, id: 'wamid.in.part', text: { body: 'code-6333x' } }, own],
    })
    expect(await findStores('code-6333x')).toContain('unread_updates')
    await meera.revoke('wamid.in.part')
    expect(await findStores('code-6333x')).toEqual([])
  })

  test('nor when the deletion arrives before its message, and before its edit', async () => {
    const meera = customer()
    const before = 'wamid.before'
    await meera.edit(before, 'it was code-5222x')
    await meera.revoke(before)
    expect(await findStores('code-5222x')).toEqual([])
    await number.report('messages', {
      contacts: [{ wa_id: meera.phone.slice(1) }],
      messages: [
        {
          from: meera.phone.slice(1),
          id: before,
          timestamp: '1780000000',
          type: 'text',
          text: { body: 'code-5222x' },
        },
      ],
    })
    const [own] = (await meera.events()).filter((event) => event.event === 'message.received')
    expect(Object.keys(own.data).sort()).toEqual(['contact', 'conversationId', 'messageId'])
    expect(await findStores('code-5222x')).toEqual([])
  })

  test('its waiting deliveries contain only ids', async () => {
    const own = await parley.workspace({ sandbox: true })
    const line = await connectNumber(parley, own)
    const receiver = await receivers.open((response, { raw }) => void response.writeHead(500).end(raw))
    const { body } = await own.post('/webhooks', { url: receiver.url, events: ['message.received'] })
    const from = '919812394444'
    const timestamp = '1780000000'
    const report = (type: string, id: string, content: object) =>
      line.report('messages', {
        contacts: [{ wa_id: from }],
        messages: [{ from, id, timestamp, type, [type]: content }],
      })
    await report('text', 'wamid.1', { body: 'regretted' })
    const responses = async () =>
      (await own.get(`/webhooks/${body.webhook.id}/deliveries`)).body.deliveries.map(
        (delivery: Body) => delivery.response,
      )
    await until(async () => (await responses()).at(-1) !== null, 'the first attempt has ended')
    await report('revoke', 'wamid.2', { original_message_id: 'wamid.1' })
    await own.advance(6)
    const [first, second] = await receiver.wait(2)
    expect(first!.body.data.content).toEqual({ body: 'regretted' })
    expect(Object.keys(second!.body.data).sort()).toEqual(['contact', 'conversationId', 'messageId'])
    expect((await responses()).at(-1)).toBeNull()
  })
})

/** Returns the tables that contain a text. */
async function findStores(text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of ['messages', 'message_changes', 'events', 'unread_updates', 'operator_updates']) {
    const rows = await parley.system((tx) =>
      tx.sql(`select 1 from ${table} t where t.workspace_id = $1 and t::text like $2`, [
        shop.workspaceId,
        `%${text}%`,
      ]),
    )
    if (rows.length > 0) found.push(table)
  }
  return found
}
