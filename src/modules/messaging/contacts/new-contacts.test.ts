/**
 * Tests that storing new contacts without reading first (docs/decisions/requests.md) doesn't change the
 * results.
 */
import { expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { lockWaits } from '../../../../test/support/lock-waits.ts'
import { until } from '../../../../test/support/until.ts'

/** Starts a service where no batch has failed yet, so it tries its next batch without reading first. */
async function freshShop(): Promise<{ parley: TestParley; shop: TestWorkspace }> {
  const parley = await boot()
  onTestFinished(() => parley.close())
  return { parley, shop: await parley.workspace() }
}

const phoneOf = (serial: number): string => `+9198424000${serial + 10}`

/**
 * Sets a contact limit and stores nine contacts. The first request fails without a read, because contacts
 * weren't counted before the limit. The service then reads first for the others.
 */
async function limited(shop: TestWorkspace, contactLimit: number): Promise<void> {
  await shop.set({ contactLimit })
  for (let serial = 0; serial < 9; serial++) await shop.post('/contacts', { phone: phoneOf(serial) })
}

test('each request in a batch gets the same answer as alone: known numbers, retries, used keys', async () => {
  const { shop } = await freshShop()
  const [existing, retried, reused] = [phoneOf(0), phoneOf(1), phoneOf(2)]
  const { contact } = (await shop.post('/contacts', { phone: existing })).body
  const before = await shop.post('/contacts', { phone: retried }, { idempotencyKey: 'retried' })
  await shop.post('/contacts', { phone: reused }, { idempotencyKey: 'reused' })
  const fresh = [3, 4, 5, 6, 7, 8, 9].map(phoneOf)
  for (const isFirst of [true, false]) {
    const answers = await Promise.all([
      ...fresh.map((phone) => shop.post('/contacts', { phone }, { idempotencyKey: phone })),
      shop.post('/contacts', { phone: existing, displayName: `First ${isFirst}` }),
      shop.post('/contacts', { phone: retried }, { idempotencyKey: 'retried' }),
      shop.post('/contacts', { phone: existing }, { idempotencyKey: 'reused' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...fresh.map(() => 201), 200, 201, 422])
    const replayed = answers.map(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toEqual([...fresh.map(() => !isFirst), false, true, false])
    expect(answers.at(-3)!.body.contact).toMatchObject({ id: contact.id, displayName: `First ${isFirst}` })
    expect(answers.at(-2)!.body).toEqual(before.body)
  }
  const events: Body[] = (await shop.get('/events')).body.events
  const created = events.filter(({ event }) => event === 'contact.created')
  expect(created.map(({ data }) => data.phone).sort()).toEqual([existing, retried, reused, ...fresh].sort())
})

test("a limit applies also to a batch that didn't read it", async () => {
  const { shop } = await freshShop()
  await limited(shop, 12)
  const answers = await Promise.all(
    [20, 21, 22, 23, 24].map((serial) => shop.post('/contacts', { phone: phoneOf(serial) })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 402, 402])
  expect((await shop.get('/contacts')).body.contacts).toHaveLength(12)
})

test('a retry of a request from before a field declaration gets the same answer', async () => {
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

test('a contact stored again during its erasure is announced after contact.deleted', async () => {
  const { parley, shop } = await freshShop()
  // The erasure holds the lock on the contact count, so the new contact waits before it reaches its number.
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
