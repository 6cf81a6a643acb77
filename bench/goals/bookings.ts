/**
 * Measures bookings: attempts per second for one time and for free times, and how long the free times of a
 * month take.
 */
import type { BenchDatabase } from '../ground/arena.ts'
import { getRequest, postRequest, SERIAL } from '../ground/requests.ts'
import { type Load, makeLoad, type Service, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const CONNECTIONS = 24
const STAFF = 10
const BOOKED_EACH = 100
/** Free times requested in turn, of ten staff each: more than a run uses. */
const FREE_TIMES = 4_000
const MAX_SLOTS_MS = 50
const STEP_MS = 15 * 60_000
const DAY_MS = 86_400_000

/** Adds a half-hour service with ten always available staff, each with bookings; returns its id. */
async function addService(database: BenchDatabase, { workspaceId }: Shop): Promise<string> {
  await database.sql(`update workspaces set modules = '{bookings}' where id = $1`, [workspaceId])
  await database.sql(
    `insert into booking_staff (workspace_id, id, name, kind, time_zone, weekly, overrides, time_off, active, created_at, updated_at)
     select $1, uuidv7(), 'Staff ' || n, 'person', 'Asia/Kolkata',
            (select jsonb_agg(jsonb_build_object('day', d, 'from', '09:00', 'to', '18:00')) from generate_series(1, 7) d),
            '[]', '[]', true, now(), now() from generate_series(1, $2::int) n`,
    [workspaceId, STAFF],
  )
  const [service] = await database.sql<{ id: string }>(
    `insert into booking_services (workspace_id, id, name, duration_minutes, buffer_before_minutes, buffer_after_minutes,
       step_minutes, capacity, price_minor, refund_policy, min_notice_minutes, max_days_ahead, cancel_notice_minutes,
       location_kind, staff_ids, questions, active, created_at, updated_at)
     select $1, uuidv7(), 'Haircut', 15, 0, 0, 15, 1, 0, 'refund', 0, 365, 0, 'business', array_agg(id), '[]', true, now(), now()
     from booking_staff where workspace_id = $1 returning id`,
    [workspaceId],
  )
  await database.sql(
    `insert into booking_sessions (workspace_id, id, service_id, staff_id, starts_at, busy_from, busy_to, capacity, seats, created_at)
     select $1, uuidv7(), $2, s.id, at, at, at + interval '30 minutes', 1, 1, now()
     from booking_staff s, generate_series(1, $3::int) n, lateral (select now() + n * interval '7 hours' as at) t
     where s.workspace_id = $1`,
    [workspaceId, service!.id, BOOKED_EACH],
  )
  await database.admin('vacuum (analyze)')
  return service!.id
}

const bookingOf = (shop: Shop, serviceId: string, startAt: Date) =>
  postRequest('/bookings', shop.apiKey, {
    serviceId,
    startAt: startAt.toISOString(),
    phone: `+9198${SERIAL}`,
    name: 'Asha Rao',
    notify: false,
    force: true,
  })

type Run = { load: Load; service: Service; templates: ReturnType<typeof postRequest>[]; seconds: number }

/** Measures attempts per second, and how many of them booked. */
async function measureAttempts({ load, service, templates, seconds }: Run) {
  const result = await load.run({ port: service.port, connections: CONNECTIONS, seconds, templates })
  const { 201: booked = 0, 409: refused = 0 } = result.statuses
  return {
    booked,
    perSecond: (booked + refused) / result.seconds,
    ledger: { what: 'tries', whole: result.issued, parts: { booked, refused, lost: result.lost } },
    p99Ms: result.latency.p99Ms,
  }
}

export const measureBookings: Goal = async (arena) => {
  const database = await arena.database('bookings')
  const [shop] = await makeShops(database, 1, 'unlimited')
  const serviceId = await addService(database, shop!)
  const service = await startService(arena, database, { roles: 'web', limiter: false })
  const load = makeLoad(arena)
  const seconds = arena.quick ? 2 : 10
  const first = Math.ceil((Date.now() + 40 * DAY_MS) / DAY_MS) * DAY_MS
  const [{ deadlocks: before }] = (await database.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )) as [{ deadlocks: number }]
  const contested = await measureAttempts({
    load,
    service,
    seconds,
    templates: Array.from({ length: 8 }, (_, i) =>
      bookingOf(shop!, serviceId, new Date(first + i * STEP_MS)),
    ),
  })
  const free = await measureAttempts({
    load,
    service,
    seconds,
    templates: Array.from({ length: FREE_TIMES }, (_, i) =>
      bookingOf(shop!, serviceId, new Date(first + DAY_MS + i * STEP_MS)),
    ),
  })
  const [{ deadlocks }] = (await database.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )) as [{ deadlocks: number }]
  const from = new Date()
  const query = new URLSearchParams({
    serviceId,
    from: from.toISOString(),
    to: new Date(from.getTime() + 31 * DAY_MS).toISOString(),
  })
  const slotsMs: number[] = []
  for (let round = 0; round < 4; round++)
    slotsMs.push(
      (
        await load.run({
          port: service.port,
          connections: 1,
          seconds: arena.quick ? 1 : 3,
          templates: [getRequest(`/bookings/slots?${query}`, shop!.apiKey)],
        })
      ).latency.p50Ms,
    )
  await service.stop()
  await load.stop()
  const slots = median(slotsMs.slice(1))
  return {
    figures: [
      {
        goal: 'bookings',
        what: `tries/s for 8 times of ${STAFF} staff, c=${CONNECTIONS}`,
        ours: contested.perSecond,
        unit: '/s',
        target: 'none',
        ledgers: [contested.ledger],
        notes: [
          `${contested.booked} booked, ${deadlocks - before} deadlocks in all, p99 ${contested.p99Ms.toFixed(1)} ms`,
        ],
      },
      {
        goal: 'bookings',
        what: `bookings/s of free times of ${STAFF} staff, c=${CONNECTIONS}`,
        ours: free.perSecond,
        unit: '/s',
        target: 'none',
        ledgers: [free.ledger],
        notes: [`${free.booked} booked, p99 ${free.p99Ms.toFixed(1)} ms`],
      },
      {
        goal: 'bookings',
        what: `free times of a month for ${STAFF} staff with ${BOOKED_EACH} bookings each, c=1`,
        ours: slots,
        unit: 'ms',
        target: `<= ${MAX_SLOTS_MS}`,
        met: slots <= MAX_SLOTS_MS,
        rounds: slotsMs,
      },
    ],
  }
}
