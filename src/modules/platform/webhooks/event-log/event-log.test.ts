import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { planOf } from '../../../../../test/support/plans.ts'
import { until } from '../../../../../test/support/until.ts'
import { newId } from '../../../../core/ids.ts'
import { listEventsBetweenPlaces, MAX_EVENTS_READ } from './queries/events.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  for (let i = 0; i < 5; i++) await shop.post('/contacts', { phone: `+91981234567${i}` })
  await shop.inbound('+919812345670', 'hello')
})
afterAll(() => parley.close())

/**
 * Returns the newest page once all its events are settled: other transactions in the database may delay this.
 */
async function settledPage(workspace: TestWorkspace): Promise<Body> {
  let body: Body
  await until(async () => {
    body = (await workspace.get('/events')).body
    return body.resumeAfter === body.events[0].id
  }, 'nothing can appear before the newest event any more')
  return body
}

const names = (events: Body[]) => events.map((event) => event.event)

test('the event log is cursor-paginated, newest first', async () => {
  const page = (await shop.get('/events')).body
  expect(page.nextCursor).toBeNull()
  expect(names(page.events)).toEqual([
    'message.received',
    'conversation.opened',
    ...Array<string>(5).fill('contact.created'),
  ])
  const first = (await shop.get('/events?limit=4')).body
  const second = (await shop.get(`/events?limit=4&cursor=${first.nextCursor}`)).body
  expect([...first.events, ...second.events]).toEqual(page.events)
})

test('with after it lists later events, oldest first, for resuming consumers', async () => {
  const events = (await settledPage(shop)).events as Body[]
  const oldestFirst = [...events].reverse()
  const page = (await shop.get(`/events?limit=3&after=${oldestFirst[1].id}`)).body
  expect(page.events).toEqual(oldestFirst.slice(2, 5))
  const rest = (await shop.get(`/events?after=${oldestFirst[1].id}&cursor=${page.nextCursor}`)).body
  expect(rest).toEqual({
    events: oldestFirst.slice(5),
    nextCursor: null,
    resumeAfter: oldestFirst.at(-1).id,
  })
  expect((await shop.get('/events?after=yesterday')).status).toBe(400)
})

test('a resuming consumer does not miss an event of a transaction that commits late', async () => {
  const late = await parley.workspace({ sandbox: true })
  await late.post('/contacts', { phone: '+919812345670' })
  const firstPage = await settledPage(late)
  const id = newId()
  let commit = () => {}
  const released = Promise.withResolvers<void>()
  const slow = parley.system(async (tx) => {
    await tx.sql(
      "insert into events (workspace_id, id, name, data, created_at) values ($1, $2, 'contact.updated', '{}', $3)",
      [late.workspaceId, id, new Date()],
    )
    released.resolve()
    await new Promise<void>((resolve) => {
      commit = resolve
    })
  })
  await released.promise
  await late.post('/contacts', { phone: '+919812345671' })
  const newest = (await late.get('/events?limit=1')).body
  expect(newest.events[0].id > id, 'it happened after the one that is not committed').toBe(true)
  const pageMeanwhile = (await late.get(`/events?after=${firstPage.resumeAfter}`)).body
  expect(pageMeanwhile.events, 'nothing is shown that another could still come before').toEqual([])
  commit()
  await slow
  const seenIds: string[] = []
  let after = pageMeanwhile.resumeAfter
  await until(async () => {
    const { body } = await late.get(`/events?after=${after}`)
    after = body.resumeAfter
    seenIds.push(...body.events.map((event: Body) => event.id))
    return seenIds.length >= 2
  }, 'both events are shown')
  expect(seenIds, 'each once').toEqual([id, newest.events[0].id])
  const rest = (await late.get(`/events?after=${newest.resumeAfter}`)).body.events.map(
    (event: Body) => event.id,
  )
  expect(rest, 'also behind the place that the newest page named').toEqual(seenIds)
})

test('events filters by names, in both directions, even if they are rare', async () => {
  const events = (await settledPage(shop)).events as Body[]
  const expected = events.filter((event) => event.event !== 'contact.created')
  const query = 'events=message.received,conversation.opened'
  const newest = (await shop.get(`/events?limit=1&${query}`)).body
  expect(newest.events).toEqual(expected.slice(0, 1))
  expect(newest.resumeAfter).toBe(events[0].id)
  const next = (await shop.get(`/events?limit=1&${query}&cursor=${newest.nextCursor}`)).body
  expect([next.events, next.nextCursor]).toEqual([expected.slice(1), null])
  const forward = (await shop.get(`/events?${query}&after=${events.at(-1).id.toUpperCase()}`)).body
  expect(forward.events).toEqual([...expected].reverse())
  expect(await shop.get('/events?events=lead.creatd')).toMatchObject({
    status: 400,
    body: { error: 'invalid' },
  })
  const narrow = await shop.as('viewer', { scopes: ['webhooks:read', 'contacts:read'] })
  expect(await narrow.get(`/events?${query}`)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope', required: 'messages:read' },
  })
})

test('each event also requires its own read scope', async () => {
  const narrow = await shop.as('viewer', { scopes: ['webhooks:read', 'contacts:read'] })
  expect(new Set(names((await narrow.get('/events')).body.events))).toEqual(new Set(['contact.created']))
  const unscoped = await shop.as('viewer', { scopes: ['contacts:read'] })
  expect(await unscoped.get('/events')).toMatchObject({ status: 403, body: { required: 'webhooks:read' } })
})

test('with any number of events that a key may not read, a page reads a bounded range and the cursor advances', async () => {
  const busy = await parley.workspace({ sandbox: true })
  const make = async (phone: string) => (await busy.post('/contacts', { phone })).body.contact.id as string
  const contacts = [await make('+919812345670')]
  const [first] = (await busy.get('/events')).body.events
  await parley.system((tx) =>
    tx.sql(
      `insert into events (workspace_id, id, name, data, created_at)
       select $1, id, 'message.status', '{}', $2 from unnest($3::uuid[]) id`,
      [busy.workspaceId, new Date(), Array.from({ length: 2.5 * MAX_EVENTS_READ }, newId)],
    ),
  )
  contacts.push(await make('+919812345671'))
  await settledPage(busy)
  const narrow = await busy.as('viewer', { scopes: ['webhooks:read', 'contacts:read'] })
  const seenIds: string[] = []
  let pages = 0
  let after = first.id
  for (let more = true; more; pages++) {
    const { body } = await narrow.get(`/events?after=${after}`)
    seenIds.push(...body.events.map((event: Body) => event.data.contactId))
    expect(body.resumeAfter, 'the place moves').not.toBe(after)
    after = body.resumeAfter
    more = body.nextCursor !== null
  }
  expect(pages, 'stretches').toBe(3)
  expect(seenIds).toEqual(contacts.slice(1))
  const newest = (await narrow.get('/events?limit=2')).body
  expect(newest.events.map((event: Body) => event.data.contactId)).toEqual([...contacts].reverse())
})

test('a range of the log is read in the order of its index', async () => {
  await parley.system(async (tx) => {
    const plan = await planOf(tx, shop.workspaceId, (ctx) =>
      listEventsBetweenPlaces(ctx, ['lead.created'], new Date(0), {
        limit: 50,
        behind: { writtenIn: '0', id: newId() },
        upTo: { writtenIn: '1', id: newId() },
        laterThan: null,
      }),
    )
    expect(plan).not.toMatch(/-> +(Incremental )?Sort/)
    expect(plan).toContain('written_in_id')
  })
})

test("another workspace's events are not listed", async () => {
  const other = await parley.workspace({ sandbox: true })
  expect((await other.get('/events')).body.events).toEqual([])
})

test('the log covers 7 days', async () => {
  const old = await parley.workspace({ sandbox: true })
  await old.post('/contacts', { phone: '+919812345679' })
  await old.advance(7 * 86_400 + 60)
  expect((await old.get('/events')).body.events).toEqual([])
})
