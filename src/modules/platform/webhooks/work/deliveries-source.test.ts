import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.ts'
import { openAsService } from '../../../../../test/support/open-database.ts'
import { until } from '../../../../../test/support/until.ts'
import { type Clock, DAY_MS, later, systemClock } from '../../../../core/clock.ts'
import { dueAt } from '../../../../core/due.ts'
import { idAt, newId } from '../../../../core/ids.ts'
import { createSealer } from '../../../../core/sealing.ts'
import { listenForChanges } from '../../../../database/changes.ts'
import type { OpenDatabase } from '../../../../database/database.ts'
import { NARROW } from '../../../../dispatch/slow-start.ts'
import { createWorkspace } from '../../workspaces/operations/workspaces.ts'
import { learn, newLane, WIDE } from '../delivery/delivery-lanes.ts'
import { MAX_HELD, MAX_UNWRITTEN } from '../delivery/delivery-runner.ts'
import { claimDeliveries } from '../delivery/queries/delivery-claims.ts'
import type { ReceiverAnswer, SendWebhook } from '../delivery/send-webhook.ts'
import { watchStrips } from '../delivery/stripped-events.ts'
import { logDayOf, partitionOfDay } from '../event-log/log-partitions.ts'
import { deliveriesSource } from './deliveries-source.ts'

const sealer = createSealer('the key of these tests')
let place: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  place = await createTestDatabase()
  database = openAsService(place.url, systemClock)
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const fine: ReceiverAnswer = { status: 200, headers: {}, bodyExcerpt: '', latencyMs: 1 }
const never = () => new Promise<never>(() => {})
/** Builds a clock that can be set ahead of real time. */
function movableClock(): Clock & { aheadMs: number } {
  const clock = {
    aheadMs: 0,
    now: () => later(systemClock.now(), clock.aheadMs),
    monotonicMs: () => systemClock.monotonicMs() + clock.aheadMs,
  }
  return clock
}

type Strips = Parameters<typeof deliveriesSource>[0]['strips']

async function makeShop(endpoints: number) {
  const { workspaceId } = await database.system((tx) =>
    createWorkspace(tx, { name: 'Shop' }, systemClock.now(), sealer),
  )
  const ids: string[] = []
  for (let i = 0; i < endpoints; i++) {
    const id = newId()
    await database.query(
      `insert into webhook_endpoints (workspace_id, id, url, secret_sealed, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $5)`,
      [workspaceId, id, `https://${workspaceId}.test/${i}`, sealer.seal('s'), systemClock.now()],
    )
    ids.push(id)
  }
  const happen = (count: number) =>
    database.tenantIds([workspaceId], async (unit) => {
      for (let i = 0; i < count; i++)
        unit.outbox.push({
          id: newId(),
          workspaceId,
          name: 'contact.created',
          data: { n: i },
          createdAt: systemClock.now(),
          contactId: null,
        })
    })
  const statuses = async () => {
    const rows = await database.query<{ status: string; count: number }>(
      'select status, count(*) as count from deliveries where workspace_id = $1 group by status',
      [workspaceId],
    )
    return Object.fromEntries(rows.map((row) => [row.status, row.count]))
  }
  /** Returns the end of the lease of its one pending delivery. */
  const leasedUntil = async () => {
    const [row] = await database.query<{ leasedUntil: Date }>(
      'select leased_until from deliveries where workspace_id = $1 and run_at is not null',
      [workspaceId],
    )
    return row!.leasedUntil
  }
  onTestFinished(() =>
    database.system(async (tx) => {
      // An engine of this test may still write results, in another lock order.
      await tx.sql('lock table deliveries in exclusive mode')
      await tx.sql('delete from deliveries where workspace_id = $1', [workspaceId])
    }),
  )
  return { workspaceId, ids, happen, statuses, leasedUntil }
}

function engine(
  send: SendWebhook,
  clock: Clock = systemClock,
  strips = { mayBeStale: () => false } as Strips,
  system = database.system,
) {
  const faults: unknown[] = []
  const onError = (error: unknown) => faults.push(error)
  const source = deliveriesSource({
    database: { query: database.query, system },
    send,
    sealer,
    clock,
    strips,
    onError,
  })
  // An engine of an earlier test must claim no more, even if one of its receivers hangs forever.
  onTestFinished(() => void source.stop())
  return { source, faults }
}

test('24 hanging endpoints cannot stop the 25th (docs/reliability.md 2, row 12)', async () => {
  const shop = await makeShop(25)
  let delivered = 0
  const release: (() => void)[] = []
  const { source, faults } = engine((url) => {
    if (url.endsWith('/24')) {
      delivered++
      return Promise.resolve(fine)
    }
    return new Promise((resolve) => release.push(() => resolve(fine)))
  })
  await shop.happen(400)
  await source.runDue({})
  await until(() => delivered === 400, 'the healthy endpoint gets all of its deliveries')
  expect(release.length, 'a hanging endpoint holds little').toBeLessThanOrEqual(24 * NARROW)
  expect(faults).toEqual([])
  const stopped = source.stop()
  for (const resolve of release) resolve()
  await stopped
})

test("neither a paused endpoint's backlog nor a long one hides another endpoint's rows", async () => {
  const shop = await makeShop(3)
  await shop.happen(3_000)
  await database.query('update webhook_endpoints set active = false where id = $1', [shop.ids[0]])
  await database.query(
    `delete from deliveries where endpoint_id = $1 and id < (select max(id::text)::uuid from deliveries where endpoint_id = $1)`,
    [shop.ids[2]],
  )
  const sent: string[] = []
  const { source } = engine(async (url) => {
    sent.push(url.slice(-1))
    return url.endsWith('/2') ? fine : never()
  })
  await source.runDue({})
  await until(() => sent.includes('2'), 'the endpoint with one delivery gets it')
  expect(sent).not.toContain('0')
  expect(sent.filter((url) => url === '1').length).toBeLessThanOrEqual(NARROW)
})

test('many parallel lanes share the places, and each delivery is sent once', async () => {
  const shop = await makeShop(120)
  const posts = new Map<string, number>()
  let now = 0
  let max = 0
  const send: SendWebhook = async (url, headers) => {
    const name = `${url} ${headers['x-webhook-id']}`
    posts.set(name, (posts.get(name) ?? 0) + 1)
    max = Math.max(max, ++now)
    await new Promise(setImmediate)
    now--
    return fine
  }
  const [first, two] = [engine(send), engine(send)]
  await shop.happen(25)
  await Promise.all([first.source.runDue({}), two.source.runDue({})])
  await until(async () => (await shop.statuses()).succeeded === 3_000, 'all deliveries have a result')
  expect(
    [...posts.values()].every((count) => count === 1),
    'two processes never send the same',
  ).toBe(true)
  expect(posts.size).toBe(3_000)
  expect(max).toBeLessThanOrEqual(512)
  expect([...first.faults, ...two.faults]).toEqual([])
})

test("a workspace with a large backlog at hanging receivers delays no other's first attempt", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const [big, small] = [await makeShop(25), await makeShop(1)]
  let quick = 1_500
  let hanging = 0
  let first = false
  const { source, faults } = engine(async (url) => {
    if (url.includes(small.workspaceId)) first = true
    else if (quick-- <= 0) {
      hanging++
      return never()
    }
    return fine
  })
  await big.happen(200)
  await source.runDue({})
  await until(() => hanging >= 200, 'all attempts of the lanes hang')
  await small.happen(1)
  await until(async () => {
    await source.runDue({})
    return first
  }, 'the other endpoint gets an attempt')
  expect(hanging, 'one workspace leaves a fifth to who comes next').toBeLessThanOrEqual(205)
  expect(faults).toEqual([])
})

test('after ten failures in a row an endpoint only gets probes, and all waiting deliveries when it is back: in parallel 1, 2, 4', async () => {
  const shop = await makeShop(1)
  await shop.happen(150)
  const clock = movableClock()
  let broken = true
  let now = 0
  const posts: number[] = []
  const { source, faults } = engine(async () => {
    posts.push(++now)
    await new Promise(setImmediate)
    now--
    return broken ? { ...fine, status: 500 } : fine
  }, clock)
  const turn = async () => {
    await source.runDue({})
    await source.idle()
  }
  for (let i = 0; i < 8; i++) await turn()
  const before = posts.length
  expect(before, 'ten, and what was under way').toBeLessThanOrEqual(10 + NARROW)
  await turn()
  expect(posts.length).toBe(before)
  for (const [probes, seconds] of [
    [1, 20],
    [2, 40],
    [3, 70],
  ] as const) {
    clock.aheadMs += seconds * 1_000
    await turn()
    await turn()
    expect(posts.length, `${probes} probes`).toBe(before + probes)
  }
  broken = false
  clock.aheadMs += 70_000
  const whenBack = posts.length
  while ((await shop.statuses()).pending) await turn()
  const widths = posts.slice(whenBack)
  expect(widths[0], 'a probe').toBe(1)
  expect(Math.max(...widths.slice(0, 3)), 'then two').toBeLessThanOrEqual(2)
  expect(Math.max(...widths.slice(0, 7)), 'then four').toBeLessThanOrEqual(4)
  expect((await shop.statuses()).succeeded).toBe(150)
  expect(faults).toEqual([])
})

test('while an endpoint has a backlog the oldest go first, and new events are not starved', async () => {
  const shop = await makeShop(1)
  await shop.happen(3_000)
  await database.query("update deliveries set run_at = run_at - interval '1 hour' where workspace_id = $1", [
    shop.workspaceId,
  ])
  await shop.happen(1)
  const ids: string[] = []
  const { source } = engine(async (_url, headers) => {
    ids.push(headers['x-webhook-id']!)
    return fine
  })
  await source.runDue({})
  await until(() => ids.length === 3_001, 'all deliveries were sent')
  const [newest] = [...ids].sort().slice(-1)
  expect(ids.indexOf(newest!)).toBeLessThan(300)
  const old = ids.slice(0, 500).filter((id) => id !== newest)
  const places = old.map((id) => [...ids].sort().indexOf(id))
  expect(Math.min(...places)).toBe(0)
  expect(
    places.filter((position) => position < 500).length,
    'most of the first are the oldest',
  ).toBeGreaterThan(300)
})

test('while results cannot be written, only a limited number accumulates; then each is written, and no delivery is sent twice', async () => {
  const shop = await makeShop(2)
  await shop.happen(2_500)
  const away = Promise.withResolvers<void>()
  const posts = new Map<string, number>()
  let sent = 0
  const { source, faults } = engine(
    async (url, headers) => {
      sent++
      const name = `${url} ${headers['x-webhook-id']}`
      posts.set(name, (posts.get(name) ?? 0) + 1)
      return fine
    },
    systemClock,
    undefined,
    async (work) => {
      await away.promise
      return database.system(work)
    },
  )
  await until(async () => {
    const before = sent
    await source.runDue({})
    return sent === before && sent > MAX_HELD
  }, 'the source claims no more')
  expect(sent).toBeLessThanOrEqual(MAX_UNWRITTEN + MAX_HELD)
  expect(await source.running?.(database.query, shop.workspaceId, systemClock.now())).toBe(sent)
  away.resolve()
  await until(async () => (await shop.statuses()).succeeded === 5_000, 'the source claims again by itself')
  expect(posts.size).toBe(5_000)
  expect(new Set(posts.values())).toEqual(new Set([1]))
  expect(faults).toEqual([])
})

test('deliveries of a killed process are sent again when its lease has expired, not before', async () => {
  const shop = await makeShop(1)
  await shop.happen(3)
  const claimedRows = await claimDeliveries(
    database,
    {
      due: dueAt(systemClock.now()),
      leaseMs: 12_000,
      max: 10,
      maxOfEach: 10,
      allowances: [],
      start: null,
      partition: partitionOfDay(systemClock.now()),
    },
    shop.workspaceId,
  )
  expect(claimedRows).toHaveLength(3)
  const clock = movableClock()
  const bodies: string[] = []
  const { source } = engine(async (_url, _headers, body) => {
    bodies.push(String(body))
    return fine
  }, clock)
  expect(await source.runDue({ workspaceId: shop.workspaceId })).toBe(0)
  expect(await source.running?.(database.query, shop.workspaceId, systemClock.now())).toBe(3)
  expect(await source.nextDue?.(database.query, shop.workspaceId), 'leased rows are left out').toBeUndefined()
  clock.aheadMs = 12_001
  expect(await source.runDue({ workspaceId: shop.workspaceId })).toBe(3)
  expect(await shop.statuses()).toEqual({ succeeded: 3 })
  expect(
    bodies.map((body) => JSON.parse(String(body)).data.n),
    'oldest first',
  ).toEqual([0, 1, 2])
})

test('a live process renews the lease of a long attempt', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const shop = await makeShop(1)
  await shop.happen(1)
  const clock = movableClock()
  let answer: (() => void) | undefined
  const { source } = engine(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(fine)
      }),
    clock,
  )
  await source.runDue({})
  await until(() => answer !== undefined, 'the attempt has started')
  const first = await shop.leasedUntil()
  clock.aheadMs = 5_000
  vi.advanceTimersByTime(1_000)
  await until(async () => (await shop.leasedUntil()) > first, 'the lease is renewed')
  expect((await shop.leasedUntil()).getTime() - first.getTime()).toBeGreaterThanOrEqual(5_000)
  answer?.()
  await source.idle()
  expect(await shop.statuses()).toEqual({ succeeded: 1 })
})

test('an attempt that was made twice is settled once: one result, one next attempt', async () => {
  const shop = await makeShop(1)
  await shop.happen(1)
  const clock = movableClock()
  const gates: (() => void)[] = []
  const send: SendWebhook = () =>
    new Promise((resolve) => gates.push(() => resolve({ ...fine, status: 500 })))
  const [slow, other] = [engine(send, clock), engine(send, clock)]
  const first = slow.source.runDue({ workspaceId: shop.workspaceId })
  await until(() => gates.length === 1, 'the first attempt runs')
  clock.aheadMs = 13_000
  const second = other.source.runDue({ workspaceId: shop.workspaceId })
  await until(() => gates.length === 2, 'the lease ran out, so another process sends it again')
  for (const open of gates) open()
  await Promise.all([first, second])
  expect(await shop.statuses()).toEqual({ failed: 1, pending: 1 })
})

test('a failed attempt whose endpoint was deleted meanwhile is not tried again', async () => {
  const shop = await makeShop(1)
  await shop.happen(1)
  const gates: (() => void)[] = []
  const { source } = engine(
    () => new Promise((resolve) => gates.push(() => resolve({ ...fine, status: 500 }))),
  )
  await source.runDue({})
  await until(() => gates.length === 1, 'the attempt runs')
  await database.query('delete from webhook_endpoints where id = $1', [shop.ids[0]])
  for (const open of gates) open()
  await source.idle()
  expect(await shop.statuses()).toEqual({ failed: 1 })
})

/** Builds the process's record of stripped events, wired as in the service. */
async function buildStrips() {
  const strips = watchStrips(systemClock)
  const changes = listenForChanges({
    url: place.url,
    onChange: () => {},
    onStrip: strips.heard,
    onLine: strips.setListening,
  })
  onTestFinished(changes.close)
  await changes.caughtUp()
  return { strips, caughtUp: changes.caughtUp }
}

test('deliveries claimed before an erasure are sent without the personal data, after one statement that reads them again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const shop = await makeShop(1)
  const { strips, caughtUp } = await buildStrips()
  const sent: { data: object }[] = []
  const gate = Promise.withResolvers<void>()
  // The first requests are answered immediately, so that the lane widens and fetches ahead.
  const send: SendWebhook = async (_url, _headers, body) => {
    if (sent.push(JSON.parse(String(body))) > 200) await gate.promise
    return fine
  }
  const read = vi.spyOn(database, 'query')
  onTestFinished(() => read.mockRestore())
  const { source } = engine(send, systemClock, strips)
  await shop.happen(400)
  await source.runDue({})
  await until(() => sent.length === 200 + WIDE, 'the lane is wide and full')
  const erased = newId()
  await database.query('update events set contact_id = $1 where workspace_id = $2', [
    erased,
    shop.workspaceId,
  ])
  await database.tenantIds([shop.workspaceId], async (unit) => {
    unit.retractions.push({ workspaceId: shop.workspaceId, contactId: erased, message: null })
  })
  await caughtUp()
  read.mockClear()
  gate.resolve()
  await source.idle()
  const isWhole = ({ data }: { data: object }) => 'n' in data
  expect(sent.slice(0, 200 + WIDE).every(isWhole), 'they went out before').toBe(true)
  expect(sent.slice(200 + WIDE).filter(isWhole)).toEqual([])
  expect(sent.length).toBeGreaterThanOrEqual(400)
  expect(read.mock.calls.filter(([text]) => text.startsWith('select id, data::text'))).toHaveLength(1)
})

test('stopping gives back deliveries that have not started and waits for those that have', async () => {
  const shop = await makeShop(1)
  await shop.happen(50)
  const gates: (() => void)[] = []
  const { source } = engine(() => new Promise((resolve) => gates.push(() => resolve(fine))))
  await source.runDue({})
  await until(() => gates.length === NARROW, 'the lane is full')
  const stopped = source.stop()
  for (const open of gates) open()
  await stopped
  expect(await shop.statuses()).toEqual({ pending: 50 - NARROW, succeeded: NARROW })
  expect(
    await source.running?.(database.query, shop.workspaceId, systemClock.now()),
    'others may take them at once',
  ).toBe(0)
})

test('a lane widens by one, two, four after a failure, up to its limit', () => {
  const lane = newLane('w', 'e')
  expect(lane.limit).toBe(NARROW)
  learn(lane, false, 10)
  const widths = [lane.limit]
  for (let i = 0; i < 7; i++) {
    learn(lane, true, 10)
    widths.push(lane.limit)
  }
  expect(widths).toEqual([1, 2, 4, 8, 16, 32, WIDE, WIDE])
})

test('an answer that PostgreSQL cannot store unchanged blocks nothing', async () => {
  const shop = await makeShop(1)
  await shop.happen(2)
  const { source, faults } = engine(async () => ({
    ...fine,
    status: 500,
    headers: { server: 'a\0b\ud800' },
    bodyExcerpt: '\ud800 and \0 <',
  }))
  expect(await source.runDue({ workspaceId: shop.workspaceId })).toBe(2)
  expect(await shop.statuses()).toEqual({ failed: 2, pending: 2 })
  expect(faults).toEqual([])
})

test('a delivery whose partition was dropped meanwhile blocks neither the results nor the leases of the others', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const [old, shop] = [await makeShop(1), await makeShop(1)]
  const clock = movableClock()
  const then = later(systemClock.now(), -3 * DAY_MS)
  const id = idAt(then).slice(0, 26) + newId().slice(26)
  await database.query(
    "select make_log_day(log, $1::date) from unnest(array['deliveries', 'events']) as log",
    [logDayOf(then)],
  )
  await database.query(
    `with happened as (
       insert into events (workspace_id, id, name, data, created_at) values ($1, $2, 'contact.created', '{}', $4)
     )
     insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
     values ($1, $2, $3, $2, 'contact.created', $4, $4, $4)`,
    [old.workspaceId, id, old.ids[0], then],
  )
  await shop.happen(1)
  const gates: (() => void)[] = []
  const { source, faults } = engine(() => new Promise((resolve) => gates.push(() => resolve(fine))), clock)
  await source.runDue({})
  await until(() => gates.length === 2, 'both attempts run')
  await database.query(`drop table ${partitionOfDay(then)}`)
  const first = await shop.leasedUntil()
  clock.aheadMs = 5_000
  vi.advanceTimersByTime(1_000)
  await until(async () => (await shop.leasedUntil()) > first, 'the lease of the other is renewed')
  for (const open of gates) open()
  await source.idle()
  expect(await shop.statuses()).toEqual({ succeeded: 1 })
  expect(faults).toEqual([])
})

test('an event in a workspace without endpoints creates no delivery and wakes no work', async () => {
  const shop = await makeShop(0)
  const wakes = await database.tenantIds([shop.workspaceId], async (unit) => {
    unit.outbox.push({
      id: newId(),
      workspaceId: shop.workspaceId,
      name: 'contact.created',
      data: {},
      createdAt: systemClock.now(),
      contactId: null,
    })
    return unit.wakes
  })
  expect([...wakes]).toEqual([])
  expect(await shop.statuses()).toEqual({})
})
