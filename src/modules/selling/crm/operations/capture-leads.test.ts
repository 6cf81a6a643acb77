/**
 * Tests that storing new leads without reading first (docs/decisions/requests.md) doesn't change the results.
 */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'

/** Starts a service where no batch has failed yet, with a shop whose stages are in memory. */
async function freshShop(): Promise<{ parley: TestParley; shop: TestWorkspace }> {
  const parley = await boot()
  onTestFinished(() => parley.close())
  const shop = await parley.workspace()
  for (const serial of [90, 91])
    expect((await shop.post('/leads', { phone: phoneOf(serial) })).status).toBe(201)
  return { parley, shop }
}
const phoneOf = (serial: number): string => `+9198424000${serial}`

test('each request in a batch gets the same answer as alone: known people, known leads, retries, used keys', async () => {
  const { shop } = await freshShop()
  const [contact, lead, retriedPhone, reusedPhone] = [10, 11, 12, 13].map(phoneOf) as [
    string,
    string,
    string,
    string,
  ]
  await shop.post('/contacts', { phone: contact, displayName: 'Asha Rao' })
  const knownLead = (await shop.post('/leads', { phone: lead })).body.lead
  const before = await shop.post('/leads', { phone: retriedPhone }, { idempotencyKey: 'retried' })
  await shop.post('/leads', { phone: reusedPhone }, { idempotencyKey: 'reused' })
  const fresh = [20, 21, 22, 23, 24, 25].map(phoneOf)
  for (const isFirst of [true, false]) {
    const answers = await Promise.all([
      ...fresh.map((phone) => shop.post('/leads', { phone }, { idempotencyKey: phone })),
      shop.post('/leads', { phone: contact }),
      shop.post('/leads', { phone: lead }),
      shop.post('/leads', { phone: retriedPhone }, { idempotencyKey: 'retried' }),
      shop.post('/leads', { phone: lead }, { idempotencyKey: 'reused' }),
      shop.post('/leads', { phone: lead, stage: 'No such stage' }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual([...fresh.map(() => 201), isFirst ? 201 : 200, 200, 201, 422, 400])
    expect(answers.at(-5)!.body.lead.name).toBe('Asha Rao')
    expect(answers.at(-4)!.body.lead).toMatchObject({ id: knownLead.id, captureCount: isFirst ? 2 : 3 })
    expect(answers.at(-3)!.body).toEqual(before.body)
  }
  const { leads, total } = (await shop.get('/leads')).body
  expect(total).toBe(12)
  expect(new Set(leads.map((lead: Body) => lead.phone)).size).toBe(12)
  const events: Body[] = (await shop.get('/events?limit=100')).body.events
  expect(events.filter(({ event }) => event === 'lead.created')).toHaveLength(12)
})

test("the contact limit applies also to a batch that didn't read it", async () => {
  const { shop } = await freshShop()
  await shop.set({ contactLimit: 13 })
  // The first request fails, because contacts weren't counted before the limit. The next eight read first.
  for (let serial = 30; serial < 39; serial++) await shop.post('/leads', { phone: phoneOf(serial) })
  const answers = await Promise.all(
    [40, 41, 42, 43].map((serial) => shop.post('/leads', { phone: phoneOf(serial) })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 402, 402])
  expect((await shop.get('/leads')).body.total).toBe(13)
})

test('a stage that another process removed while it was in memory gets no more leads', async () => {
  const { parley, shop } = await freshShop()
  const stages: Body[] = (await shop.get('/pipeline')).body.stages
  const idOf = (name: string): string => stages.find((stage) => stage.name === name)!.id
  const captures = () =>
    Promise.all(
      [50, 51, 52].map((serial) => shop.post('/leads', { phone: phoneOf(serial), stage: 'Contacted' })),
    )
  const other = new pg.Client(parley.databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('update pipeline_stages set removed_at = now(), replaced_by = $2 where id = $1', [
    idOf('Contacted'),
    idOf('Won'),
  ])
  expect((await captures()).map(({ status }) => status)).toEqual([400, 400, 400])
  await other.query('update pipeline_stages set removed_at = null, replaced_by = null where id = $1', [
    idOf('Contacted'),
  ])
  expect((await captures()).map(({ status }) => status)).toEqual([201, 201, 201])
})
