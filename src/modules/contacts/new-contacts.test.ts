/** New contacts are stored without a look at what is there (docs/decisions/requests.md): what that must not change. */
import { expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { lockWaits } from '../../../test/support/lock-waits.ts'
import { until } from '../../../test/support/until.ts'

/** A service of which no batch has failed yet: its next one is tried without a look. */
async function freshShop(): Promise<{ parley: TestParley; shop: TestWorkspace }> {
  const parley = await boot()
  onTestFinished(() => parley.close())
  return { parley, shop: await parley.workspace() }
}

const phoneOf = (serial: number): string => `+9198424000${serial + 10}`

/**
 * Limits the shop and stores nine contacts. The first one finds that they were not counted without a limit, and fails where nobody
 * looks; the others look first, as long as the service does so after a failure.
 */
async function limited(shop: TestWorkspace, contactLimit: number): Promise<void> {
  await shop.set({ contactLimit })
  for (let serial = 0; serial < 9; serial++) await shop.post('/contacts', { phone: phoneOf(serial) })
}

test('each is answered as by itself, whatever is among them: known numbers, retries, keys used before', async () => {
  const { shop } = await freshShop()
  const [known, retried, reused] = [phoneOf(0), phoneOf(1), phoneOf(2)]
  const { contact } = (await shop.post('/contacts', { phone: known })).body
  const before = await shop.post('/contacts', { phone: retried }, { idempotencyKey: 'retried' })
  await shop.post('/contacts', { phone: reused }, { idempotencyKey: 'reused' })
  const fresh = [3, 4, 5, 6, 7, 8, 9].map(phoneOf)
  for (const isFirst of [true, false]) {
    const answers = await Promise.all([
      ...fresh.map((phone) => shop.post('/contacts', { phone }, { idempotencyKey: phone })),
      shop.post('/contacts', { phone: known, displayName: `First ${isFirst}` }),
      shop.post('/contacts', { phone: retried }, { idempotencyKey: 'retried' }),
      shop.post('/contacts', { phone: known }, { idempotencyKey: 'reused' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...fresh.map(() => 201), 200, 201, 422])
    const replayed = answers.map(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toEqual([...fresh.map(() => !isFirst), false, true, false])
    expect(answers.at(-3)!.body.contact).toMatchObject({ id: contact.id, displayName: `First ${isFirst}` })
    expect(answers.at(-2)!.body).toEqual(before.body)
  }
  const events: Body[] = (await shop.get('/events')).body.events
  const made = events.filter(({ event }) => event === 'contact.created')
  expect(made.map(({ data }) => data.phone).sort()).toEqual([known, retried, reused, ...fresh].sort())
})

test('a limit is kept that nobody looked at', async () => {
  const { shop } = await freshShop()
  await limited(shop, 12)
  const answers = await Promise.all(
    [20, 21, 22, 23, 24].map((serial) => shop.post('/contacts', { phone: phoneOf(serial) })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 402, 402])
  expect((await shop.get('/contacts')).body.contacts).toHaveLength(12)
})

test('a retry of what was stored before a field was declared is answered as it was', async () => {
  const { shop } = await freshShop()
  const body = { phone: phoneOf(0), attributes: { height: 'tall' } }
  const stored = await shop.post('/contacts', body, { idempotencyKey: 'height' })
  expect(stored.status).toBe(201)
  await shop.post('/contact-fields', { key: 'height', type: 'number' })
  expect(await shop.post('/contacts', body, { idempotencyKey: 'height' })).toMatchObject({
    status: 201,
    body: stored.body,
    headers: { 'idempotent-replayed': 'true' },
  })
  expect((await shop.post('/contacts', body)).status).toBe(400)
})

test('somebody who is stored anew while they are erased is announced after they are gone', async () => {
  const { parley, shop } = await freshShop()
  // The erasure holds the count of contacts, so the new one waits before it comes to its number.
  await limited(shop, 20)
  const { id } = (await shop.get(`/contacts/${encodeURIComponent(phoneOf(0))}`)).body.contact
  const waiting = (count: number) =>
    until(async () => (await parley.system((tx) => lockWaits(tx.sql))).length >= count, `${count} wait`)
  const { erased, stored } = await parley.system(async (tx) => {
    await tx.sql('select from contacts where id = $1 for update', [id])
    const erasing = shop.delete(`/contacts/${id}`)
    await waiting(1)
    const storing = shop.post('/contacts', { phone: phoneOf(0) })
    await waiting(2)
    return { erased: erasing, stored: storing }
  })
  expect((await erased).status).toBe(200)
  expect((await stored).status).toBe(201)
  const events: Body[] = (await shop.get('/events')).body.events
  const [last, before] = events.map(({ event, data }) => [event, data.contactId])
  expect(before).toEqual(['contact.deleted', id])
  expect(last).toEqual(['contact.created', (await stored).body.contact.id])
})
