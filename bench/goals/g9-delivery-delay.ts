/**
 * G9: measures from the commit of an event to the first byte of its delivery at the receiver, at 30 % of
 * capacity.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchDatabase } from '../ground/arena.ts'
import { openSink } from '../ground/receivers.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { durations } from '../ground/statistics.ts'
import type { Arrival } from '../processes/sink.ts'
import type { Ledger } from '../report.ts'
import { addEndpoints } from '../seeds/deliveries.ts'
import { makeShops } from '../seeds/shops.ts'
import { contactRequest } from './g2-contacts.ts'
import type { Goal } from './goal.ts'

/** Enough shops that no workspace's bucket limits the rate. */
const SHOPS = 2_000
const SHARE = 0.3
const DRAIN_WITHIN_MS = 60_000
const TARGET_MS = 20

const countPending = async (database: BenchDatabase): Promise<number> =>
  Number(
    (await database.sql<{ n: string }>('select count(*) as n from deliveries where run_at is not null'))[0]!
      .n,
  )

async function waitUntilDrained(database: BenchDatabase): Promise<void> {
  const deadlineMs = performance.now() + DRAIN_WITHIN_MS
  while ((await countPending(database)) > 0 && performance.now() < deadlineMs) await wait(50)
}

export const measureDeliveryDelay: Goal = async (arena) => {
  const database = await arena.database('g9')
  const shops = await makeShops(database, SHOPS, 'pro')
  const { sink, urls, env } = await openSink(arena, true)
  await addEndpoints(
    database,
    shops.map((shop) => shop.workspaceId),
    1,
    urls,
  )
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web,worker', env })
  const load = makeLoad(arena)
  const plan = {
    port: service.port,
    connections: 32,
    templates: shops.map((shop) => contactRequest(shop.apiKey)),
  }
  let created = 0
  const create = async (more: { seconds: number; perSecond?: number }) => {
    const result = await load.run({ ...plan, ...more })
    created += result.statuses[201] ?? 0
    return result.statuses[201] ?? 0
  }

  await create({ seconds: arena.quick ? 1 : 3 })
  await waitUntilDrained(database)
  // Capacity: contacts created and events delivered per second when the callers are not throttled.
  const startedMs = performance.now()
  const burst = await create({ seconds: arena.quick ? 2 : 5 })
  const createdMs = performance.now()
  await waitUntilDrained(database)
  const capacity = burst / ((performance.now() - startedMs) / 1000)
  const perSecond = capacity * SHARE
  await create({ seconds: 2, perSecond })
  await waitUntilDrained(database)
  await sink.ask('record')
  await create({ seconds: arena.quick ? 3 : 15, perSecond })
  await waitUntilDrained(database)
  const arrivals = await sink.ask<Arrival[]>('arrivals')
  const delivered = await sink.ask<number>('requests')
  await service.stop()
  await load.stop()

  const committed = new Map(
    (
      await database.sql<{ id: string; at: string }>(
        'select id, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as at from events',
      )
    ).map(({ id, at }) => [id, Number(at)]),
  )
  const delay = durations()
  for (const { at, body } of arrivals) delay.add(at - (committed.get(JSON.parse(body).id) ?? Number.NaN))
  const { p50Ms, p99Ms, maxMs, count } = delay.read()
  const left = await countPending(database)
  const ledgers: Ledger[] = [
    { what: 'events', whole: created, parts: { 'received by the sink': delivered, pending: left } },
  ]
  return {
    figures: [
      {
        goal: 'G9',
        what: `event commit -> first byte, p99 at ${Math.round(perSecond)}/s`,
        ours: p99Ms,
        unit: 'ms',
        target: `<= ${TARGET_MS} ms`,
        met: p99Ms <= TARGET_MS,
        ledgers,
        notes: [
          `p50 ${p50Ms.toFixed(1)} ms, most ${maxMs.toFixed(1)} ms over ${count} events; capacity ${Math.round(capacity)}/s: one process with both roles created ${burst} in ${((createdMs - startedMs) / 1000).toFixed(1)} s and had delivered them over https ${(burst / capacity - (createdMs - startedMs) / 1000).toFixed(1)} s later, to ${SHOPS} endpoints`,
        ],
      },
    ],
  }
}
