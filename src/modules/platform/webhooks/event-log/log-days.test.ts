import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.ts'
import { openAsService } from '../../../../../test/support/open-database.ts'
import { type Clock, DAY_MS, later, systemClock } from '../../../../core/clock.ts'
import { dueAt } from '../../../../core/due.ts'
import { idAt, newId } from '../../../../core/ids.ts'
import { createSealer } from '../../../../core/sealing.ts'
import type { OpenDatabase } from '../../../../database/database.ts'
import { createWorkspace } from '../../workspaces/operations/workspaces.ts'
import { type ClaimOptions, claimDeliveries } from '../delivery/queries/delivery-claims.ts'
import { logDaysSource } from '../work/log-days-source.ts'
import { listPendingPartitions, logDayOf, partitionOfDay, partitionSuffix } from './log-partitions.ts'

let place: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  place = await createTestDatabase()
  database = openAsService(place.url)
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const partOf = (log: string, date: Date) => `${log}_${partitionSuffix(date)}`
const partitions = async () =>
  (
    await database.query<{ name: string }>(
      `select c.relname::text as name from pg_inherits join pg_class c on c.oid = inhrelid
       where inhparent in ('events'::regclass, 'deliveries'::regclass) order by 1`,
    )
  ).map((row) => row.name)
/** Returns the partition of each row, by id. */
const places = (log: string) =>
  database.query<{ id: string; partition: string }>(
    `select id, tableoid::regclass::text as partition from ${log} order by id`,
  )
/** Creates an id with this time. */
const idOf = (date: Date) => idAt(date).slice(0, 26) + newId().slice(26)

const now = systemClock.now()
let clockAt = now
const clock: Clock = { now: () => clockAt, monotonicMs: () => systemClock.monotonicMs() }
const keep = () => logDaysSource({ database, clock }).runDue({})
const makeShop = async () => {
  const sealer = createSealer('the key of these tests')
  const { workspaceId } = await database.system((tx) => createWorkspace(tx, { name: 'Shop' }, now, sealer))
  return workspaceId
}
const addEvent = (workspaceId: string, id: string) =>
  database.query(
    "insert into events (workspace_id, id, name, data, created_at) values ($1, $2, 'x', '{}', $3)",
    [workspaceId, id, now],
  )
const ids = (count: number) => Array.from({ length: count }, newId)
const addEndpoints = (workspaceId: string, endpointIds: string[]) =>
  database.query(
    `insert into webhook_endpoints (workspace_id, id, url, secret_sealed, created_at, updated_at)
     select $1, id, 'https://a.test/' || id, '', $3, $3 from unnest($2::uuid[]) as id`,
    [workspaceId, endpointIds, now],
  )
const addPending = (workspaceId: string, endpointId: string, ids: string[], dueAt = now) =>
  database.query(
    `insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
     select $1, id, $2, id, 'x', $4, $4, $4 from unnest($3::uuid[]) as id`,
    [workspaceId, endpointId, ids, dueAt],
  )

test('events and deliveries are in a partition for each day, created before the day begins', async () => {
  const workspaceId = await makeShop()
  const today = newId()
  await addEvent(workspaceId, today)
  await addPending(workspaceId, newId(), [today])
  for (const log of ['events', 'deliveries'])
    expect((await places(log)).find((row) => row.id === today)?.partition).toBe(partOf(log, now))
  clockAt = later(now, 2 * DAY_MS)
  await keep()
  for (const log of ['events', 'deliveries'])
    for (let ahead = 0; ahead <= 3; ahead++)
      expect(await partitions()).toContain(partOf(log, later(clockAt, ahead * DAY_MS)))
  clockAt = now
})

test('an event for a day without a partition is accepted, and moves to the partition once it exists', async () => {
  const workspaceId = await makeShop()
  const then = later(now, 20 * DAY_MS)
  const id = idOf(then)
  await addEvent(workspaceId, id)
  await addPending(workspaceId, newId(), [id])
  expect((await places('events')).find((row) => row.id === id)?.partition).toBe('events_other')
  expect(await listPendingPartitions(database, now), 'it is claimed from there').toContain('deliveries_other')
  await database.query('select make_log_day(log, $1::date) from unnest($2::text[]) log', [
    logDayOf(then),
    ['events', 'deliveries'],
  ])
  expect((await places('events')).find((row) => row.id === id)?.partition).toBe(partOf('events', then))
  expect((await places('deliveries')).find((row) => row.id === id)?.partition).toBe(
    partOf('deliveries', then),
  )
})

test('days older than 7 are dropped; their waiting deliveries are named in the activity log', async () => {
  const workspaceId = await makeShop()
  const endpointId = newId()
  await addEndpoints(workspaceId, [endpointId])
  await addEvent(workspaceId, newId())
  await addPending(workspaceId, endpointId, [newId(), newId()])
  const deletedEndpoint = newId()
  await addPending(workspaceId, deletedEndpoint, [newId()])
  const endOfDay = new Date(`${logDayOf(later(now, DAY_MS))}T00:00:00Z`)
  clockAt = later(endOfDay, 7 * DAY_MS - 60_000)
  await keep()
  expect(await partitions(), 'a part of the day is younger than 7 days').toContain(partOf('events', now))
  clockAt = later(endOfDay, 7 * DAY_MS + 60_000)
  await Promise.all([keep(), keep()])
  expect((await partitions()).filter((name) => name.endsWith(partOf('', now)))).toEqual([])
  const reportEvents = await database.query<{ data: unknown }>(
    "select data from activity_log where workspace_id = $1 and kind = 'webhook.backlog_dropped'",
    [workspaceId],
  )
  expect(reportEvents.map((row) => row.data)).toEqual([
    expect.objectContaining({ webhookId: endpointId, deliveries: 2 }),
  ])
  clockAt = now
  await keep()
  await addEvent(workspaceId, newId())
})

test('a reader of the whole log does not make writers wait for the maintenance of partitions', async () => {
  const workspaceId = await makeShop()
  clockAt = later(now, 30 * DAY_MS)
  await keep()
  const read = Promise.withResolvers<void>()
  const reading = database.system(async (tx) => {
    await tx.sql('select count(*) from events')
    await tx.sql('select count(*) from deliveries')
    await read.promise
  })
  clockAt = later(now, 60 * DAY_MS)
  await keep()
  await addEvent(workspaceId, idOf(clockAt))
  expect(await partitions(), 'left for the next time').toContain(partOf('events', later(now, 30 * DAY_MS)))
  read.resolve()
  await reading
  await keep()
  expect(await partitions()).not.toContain(partOf('events', later(now, 30 * DAY_MS)))
  clockAt = now
  await keep()
})

/** Returns how many pages a claim reads. */
async function pagesRead(
  options: Pick<ClaimOptions, 'allowances' | 'partition' | 'pastClaimed'>,
): Promise<number> {
  let pages = 0
  const query = async <Row>(text: string, values?: unknown[]): Promise<Row[]> => {
    const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const plan = row!['QUERY PLAN'][0].Plan
    pages += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
    return []
  }
  await claimDeliveries(
    { query },
    { due: dueAt(now), leaseMs: 1, max: 1_000, maxOfEach: 4, start: null, ...options },
  )
  return pages
}

test("a claim does not read more with another endpoint's backlog, nor with settled rows", async () => {
  const [workspaceId, endpointId, other] = [await makeShop(), newId(), newId()]
  await addEndpoints(workspaceId, [endpointId, other])
  const partition = partitionOfDay(now)
  const pagesOfClaim = () => pagesRead({ allowances: [], partition })
  await addPending(workspaceId, endpointId, ids(8))
  await addPending(workspaceId, other, ids(8))
  await pagesOfClaim()
  const few = await pagesOfClaim()
  await addPending(workspaceId, other, ids(20_000))
  await database.query('vacuum analyze deliveries')
  expect(await pagesOfClaim(), 'a backlog').toBeLessThanOrEqual(few * 1.5)
  await database.query(
    "update deliveries set run_at = null, status = 'failed' where endpoint_id = $1 and id <> all ($2::uuid[])",
    [other, ids(1)],
  )
  // Resets the planner's statistics of the table.
  await database.query('vacuum deliveries')
  expect(await pagesOfClaim(), 'a long log').toBeLessThanOrEqual(few * 1.5)
})

test('while an old snapshot keeps settled rows, a claim past claimed rows reads none of them (docs/reliability.md 2, row 30)', async () => {
  const [workspaceId, endpointId, other] = [await makeShop(), newId(), newId()]
  await addEndpoints(workspaceId, [endpointId, other])
  const partition = partitionOfDay(now)
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const reading = database.system(async (tx) => {
    await tx.sql('set transaction isolation level repeatable read')
    await tx.sql('select count(*) from deliveries')
    held.resolve()
    await release.promise
  })
  await held.promise
  await addPending(workspaceId, endpointId, ids(10_000), later(now, -3_600_000))
  await database.query(
    "update deliveries set run_at = null, status = 'succeeded' where workspace_id = $1 and endpoint_id = $2",
    [workspaceId, endpointId],
  )
  await addPending(workspaceId, endpointId, ids(4))
  await addPending(workspaceId, other, ids(4))
  const allowances = [{ workspaceId, endpointId, rows: 4, newest: 0, from: later(now, -1) }]
  const everywhere = await pagesRead({ allowances: [], partition })
  const past = await pagesRead({ allowances, partition, pastClaimed: true })
  release.resolve()
  await reading
  expect(past).toBeLessThan(200)
  expect(everywhere, 'what it is spared').toBeGreaterThan(past)
})

test('a claim past claimed rows takes rows of known endpoints that became due since, and all due rows of others', async () => {
  await database.query('update deliveries set run_at = null where run_at is not null')
  const shops = [await makeShop(), await makeShop(), await makeShop()]
  const endpoints = shops.flatMap((workspaceId) =>
    ids(4).map((endpointId) => ({ workspaceId, endpointId, old: newId(), fresh: newId() })),
  )
  const [minuteAgo, hourAgo] = [later(now, -60_000), later(now, -3_600_000)]
  for (const workspaceId of shops)
    await addEndpoints(
      workspaceId,
      endpoints
        .filter((endpoint) => endpoint.workspaceId === workspaceId)
        .map((endpoint) => endpoint.endpointId),
    )
  for (const { workspaceId, endpointId, old, fresh } of endpoints) {
    await addPending(workspaceId, endpointId, [old], hourAgo)
    await addPending(workspaceId, endpointId, [fresh], now)
  }
  const claim = (claimable: typeof endpoints, rows: number) =>
    claimDeliveries(database, {
      due: dueAt(now),
      leaseMs: -1,
      max: 1_000,
      maxOfEach: 4,
      start: null,
      partition: partitionOfDay(now),
      pastClaimed: true,
      allowances: claimable.map(({ workspaceId, endpointId }) => ({
        workspaceId,
        endpointId,
        rows,
        newest: 0,
        from: minuteAgo,
      })),
    })
  const claimIds = async (claimable: typeof endpoints, rows = 4) =>
    (await claim(claimable, rows)).map((row) => row.id).sort()
  const everyThird = endpoints.filter((_, place) => place % 3 === 0)
  for (const claimable of [
    [],
    endpoints,
    endpoints.slice(0, 1),
    endpoints.slice(4, 8),
    endpoints.slice(-1),
    everyThird,
  ]) {
    const others = endpoints.filter((endpoint) => !claimable.includes(endpoint))
    const expected = [
      ...claimable.map((endpoint) => endpoint.fresh),
      ...others.flatMap((endpoint) => [endpoint.old, endpoint.fresh]),
    ]
    expect(await claimIds(claimable)).toEqual(expected.sort())
    const unclaimed = others.flatMap((endpoint) => [endpoint.old, endpoint.fresh])
    expect(await claimIds(claimable, 0), 'of which nothing more may be claimed').toEqual(unclaimed.sort())
  }
})
