/**
 * Plain sends to remembered recipients skip the read (docs/decisions/requests.md), without changing the
 * rules.
 */
import { expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { onDatabase } from '../../../../database/on-database.ts'
import { recallReach } from '../../conversations/operations/assumed-reach.ts'

const asha = '+919812345678'
const ravi = '+919812345679'

const send = (shop: TestWorkspace, to = asha, overrides: object = {}) =>
  shop.post('/send', { to, type: 'text', text: 'It is on its way.', ...overrides })

/** Starts a service without failed batches yet, and a shop that has just answered Asha and Ravi. */
async function answeredShop(): Promise<{ parley: TestParley; shop: TestWorkspace }> {
  const parley = await boot()
  onTestFinished(() => parley.close())
  const shop = await parley.workspace({ sandbox: true })
  for (const customer of [asha, ravi]) {
    await shop.inbound(customer, 'Hello')
    expect((await send(shop, customer)).status).toBe(200)
    expect(recallReach(shop.workspaceId, customer)?.conversations.size).toBe(1)
  }
  return { parley, shop }
}

/** Changes the database from another client, of which this process isn't notified. */
const queryOther = (parley: TestParley, text: string, values: unknown[]) =>
  onDatabase(parley.databaseUrl, (client) => client.query(text, values))

test('each is answered as if it were alone, among retries, used keys, refusals, and sends that need reads', async () => {
  const { shop } = await answeredShop()
  const keyed = (to: string, text: string, idempotencyKey: string) =>
    shop.post('/send', { to, type: 'text', text }, { idempotencyKey })
  const before = await keyed(asha, 'once', 'retried')
  await keyed(asha, 'first', 'reused')
  for (const otherSends of [[], [send(shop, '+919812345000'), send(shop, 'nobody')]]) {
    const answers = await Promise.all([
      send(shop),
      keyed(asha, 'once', 'retried'),
      keyed(ravi, 'second', 'reused'),
      send(shop, ravi),
      ...otherSends,
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      200,
      200,
      422,
      200,
      ...otherSends.map((_, i) => [422, 400][i]),
    ])
    expect(answers[1]!.body).toEqual(before.body)
    expect(answers[2]!.body.error).toBe('idempotency_key_reused')
  }
  const sent: Body[] = (await shop.get('/messages?direction=outbound')).body.messages
  expect(sent).toHaveLength(8)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(8)
})

test('a customer who opted out or was blocked elsewhere gets no more messages until they may be messaged again', async () => {
  const { parley, shop } = await answeredShop()
  const set = (assignment: string) =>
    queryOther(parley, `update contacts set ${assignment} where workspace_id = $1 and phone = $2`, [
      shop.workspaceId,
      asha,
    ])
  for (const [negative, positive] of [
    [`opt_in_status = 'opted_out'`, `opt_in_status = 'opted_in'`],
    ['blocked = true', 'blocked = false'],
  ] as const) {
    await set(negative)
    const [toAsha, toRavi] = await Promise.all([send(shop), send(shop, ravi)])
    expect(toAsha).toMatchObject({ status: 409, body: { error: 'contact_opted_out' } })
    expect(toRavi.status).toBe(200)
    await set(positive)
    expect((await send(shop)).status).toBe(200)
  }
})

test('a window that ended earlier elsewhere is closed, and a window that was extended stays open', async () => {
  const { parley, shop } = await answeredShop()
  const expiring = (hours: number) =>
    queryOther(
      parley,
      `update conversations set window_expires_at = now() + make_interval(hours => $2) where workspace_id = $1`,
      [shop.workspaceId, hours],
    )
  await expiring(30)
  expect((await send(shop)).status).toBe(200)
  await expiring(-1)
  expect(await send(shop)).toMatchObject({ status: 422, body: { error: 'outside_24h_window' } })
})

test('a window that expired is closed', async () => {
  const { shop } = await answeredShop()
  await shop.advance(86_401)
  expect(await send(shop)).toMatchObject({ body: { error: 'outside_24h_window' } })
})

test('an erased customer gets no message', async () => {
  const { shop } = await answeredShop()
  const { contacts } = (await shop.get('/contacts')).body
  const { id } = contacts.find((contact: Body) => contact.phone === asha)
  expect((await shop.delete(`/contacts/${id}`)).status).toBe(200)
  expect(await send(shop)).toMatchObject({ body: { error: 'outside_24h_window' } })
})

test('a customer with a new number is reached there, and not at the old number', async () => {
  const { parley, shop } = await answeredShop()
  await queryOther(
    parley,
    `update contacts set phone = '+919812345680' where workspace_id = $1 and phone = $2`,
    [shop.workspaceId, ravi],
  )
  expect(await send(shop, ravi)).toMatchObject({ body: { error: 'outside_24h_window' } })
  expect((await send(shop, '+919812345680')).status).toBe(200)
})

test("the month's allowance is exact even though it was not read", async () => {
  const { shop } = await answeredShop()
  await shop.set({ messageAllowance: 6 })
  const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => send(shop, i % 2 ? asha : ravi)))
  // Two were sent before.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
    refused.map(() => [402, 'quota_exceeded']),
  )
  const { messages } = (await shop.get('/messages?direction=outbound')).body
  expect(messages).toHaveLength(6)
})

test('a number that another process disconnected sends nothing', async () => {
  const { parley, shop } = await answeredShop()
  const setState = (state: string) =>
    queryOther(parley, 'update phone_numbers set state = $2 where id = $1', [shop.phoneNumberId, state])
  await setState('disconnected')
  expect(await send(shop)).toMatchObject({ status: 409, body: { error: 'sending_blocked' } })
  await setState('active')
  expect((await send(shop)).status).toBe(200)
})
