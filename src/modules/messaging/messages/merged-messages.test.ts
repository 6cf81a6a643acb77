/**
 * Messages of long chats when their contacts are merged (src/modules/messaging/contacts/DECISIONS.md
 * "Merges").
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const [ASHA, MEERA] = ['+919812300001', '+919812300002']

/** Creates a chat with a contact and a number of older messages. */
async function chatWith(shop: TestWorkspace, phone: string, older: number): Promise<Body> {
  await shop.inbound(phone, 'Hello')
  const { contact } = (await shop.get(`/contacts/${phone}`)).body
  await parley.system((tx) =>
    tx.sql(
      `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
       select m.workspace_id, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 4, '0') || right(m.contact_id::text, 8))::uuid, m.conversation_id, m.contact_id,
         m.phone_number_id, m.direction, m.type, m.content, m.status, m.created_at
       from (select * from messages where workspace_id = $1 and contact_id = $2 limit 1) m, generate_series(1, $3::int) n`,
      [shop.workspaceId, contact.id, older],
    ),
  )
  const { conversations } = (await shop.get('/conversations?limit=100')).body
  return {
    contactId: contact.id,
    conversationId: conversations.find((conversation: Body) => conversation.contact.id === contact.id).id,
  }
}

/** Returns the number of messages of each contact. */
const countsByContact = async (shop: TestWorkspace): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await parley.system((tx) =>
        tx.sql<{ contactId: string; count: number }>(
          'select contact_id, count(*)::int4 as count from messages where workspace_id = $1 group by contact_id',
          [shop.workspaceId],
        ),
      )
    ).map(({ contactId, count }) => [contactId, count]),
  )

async function merge(shop: TestWorkspace, target: Body, merged: Body): Promise<Body> {
  const answer = await shop.post(`/contacts/${target.contactId}/merge`, { from: merged.contactId })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.merged
}

test('of two chats on one number, the much longer one stays, and the id of the other is redirected to it', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const asha = await chatWith(shop, ASHA!, 3_500)
  const meera = await chatWith(shop, MEERA!, 5)
  const { conversations } = await merge(shop, meera, asha)
  expect(conversations).toEqual([{ id: meera.conversationId, keptId: asha.conversationId }])
  for (const id of [meera.conversationId, asha.conversationId]) {
    const { conversation } = (await shop.get(`/conversations/${id}`)).body
    expect([conversation.id, conversation.contact.id]).toEqual([asha.conversationId, meera.contactId])
  }
  await until(
    async () => (await countsByContact(shop))[asha.contactId] === undefined,
    'all messages name the kept contact',
  )
  expect(await countsByContact(shop)).toEqual({ [meera.contactId]: 3_507 })
})

test('the messages of a long chat move in steps; erasing the kept contact erases them all, at any step', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const asha = await chatWith(shop, ASHA!, 3_500)
  const { contact } = (await shop.post('/contacts', { phone: MEERA })).body
  await merge(shop, { contactId: contact.id }, asha)
  // Messages that still name the merged contact are found by both contacts.
  const list = async (query: string) => (await shop.get(`/messages?limit=100&${query}`)).body.messages.length
  expect(
    await Promise.all([list(`contactId=${asha.contactId}`), list(`phone=${encodeURIComponent(ASHA!)}`)]),
  ).toEqual([100, 100])
  expect((await shop.delete(`/contacts/${contact.id}`)).status).toBe(200)
  expect(await countsByContact(shop)).toEqual({})
})
