/** The platform merges contacts that turn out to be one person (DECISIONS.md "Merges"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { connectNumber } from '../../../../test/support/operator-webhooks.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const contactOf = async (ref: string, workspace = shop): Promise<Body> =>
  (await workspace.get(`/contacts/${encodeURIComponent(ref)}`)).body.contact

/** Stores a contact as an earlier version did, next to another spelling of its number. */
const storeAsEarlier = (phone: string, patch: { status?: string } = {}): Promise<unknown> =>
  parley.system((tx) =>
    tx.sql(
      `insert into contacts (workspace_id, id, channel, phone, tags, attributes, opt_in_status, refused_by_customer, blocked, created_at, updated_at)
       values ($1, $2, 'chat', $3, '{}', '{}', $4, $4 = 'opted_out', false, now(), now())`,
      [shop.workspaceId, randomUUID(), phone, patch.status ?? 'unknown'],
    ),
  )

test('contacts that an earlier version stored under two spellings become one, with the stricter consent', async () => {
  const { contact } = (await shop.post('/contacts', { phone: '+5511987651234', displayName: 'Ana' })).body
  await storeAsEarlier('+551187651234', { status: 'opted_out' })
  await parley.system((tx) =>
    tx.sql(
      `insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
       values ($1, $2, 'merge_spelled_contacts', '{"after": "+"}', now(), now(), false)`,
      [shop.workspaceId, randomUUID()],
    ),
  )
  parley.wake()
  await until(async () => (await contactOf('+551187651234'))?.id === contact.id, 'the contacts are merged')
  expect(await contactOf(contact.id)).toMatchObject({ displayName: 'Ana', optInStatus: 'opted_out' })
})

test("a customer's message merges the contacts of both spellings", async () => {
  const { contact } = (await shop.post('/contacts', { phone: '+525512341234' })).body
  await storeAsEarlier('+5215512341234')
  await shop.inbound('5215512341234', 'Hola')
  await until(async () => {
    const ids = await Promise.all(
      ['+525512341234', '+5215512341234'].map(async (ref) => (await contactOf(ref))?.id),
    )
    return ids[0] !== undefined && ids[0] === ids[1]
  }, 'the contacts are merged')
  expect((await contactOf(contact.id)).id).toBe((await contactOf('+525512341234')).id)
  const merged = (await shop.get('/events?limit=100')).body.events.find(
    (event: Body) => event.event === 'contact.merged',
  )
  expect(merged.data.via).toBe('platform')
})

test('a contact known only by user id is merged with the contact that has the number', async () => {
  const { contact } = (await shop.post('/contacts', { phone: '+919812366001' })).body
  await shop.inbound('chan:IN.6600001', 'I have no number')
  const hidden = await contactOf('chan:IN.6600001')
  expect(hidden.id).not.toBe(contact.id)
  const number = await connectNumber(parley, shop, { operator: 'simulator' })
  await number.report('messages', {
    contacts: [{ wa_id: '919812366001', user_id: 'IN.6600001', profile: { name: 'Asha' } }],
    messages: [
      {
        from: '919812366001',
        from_user_id: 'IN.6600001',
        id: `wamid.${randomUUID()}`,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: 'Now I have' },
      },
    ],
  })
  await until(async () => (await contactOf(hidden.id))?.id === contact.id, 'the contacts are merged')
  expect((await contactOf('chan:IN.6600001')).id).toBe(contact.id)
})
