/** G8: what registered endpoints that hear little cost in memory. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Child } from '../ground/children.ts'
import { openSink } from '../ground/receivers.ts'
import { makeLoad, type Service, startService } from '../ground/service.ts'
import type { Ledger } from '../report.ts'
import { addEndpoints } from '../seeds/deliveries.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import { contactRequest } from './g2-contacts.ts'
import type { Goal } from './goal.ts'

const SHOPS = 401
const EACH = 25
/** Different ones for the warming up, so that what is kept for an origin shows. */
const ORIGINS = 250
const HEARING = 40
const WARM_UPS = 3
const WITHIN_MS = 30_000
/** Longer than the service keeps an idle connection. */
const SETTLE_MS = 6_000
const MB = 1024 * 1024

async function received(sink: Child, count: number): Promise<number> {
  const deadlineMs = performance.now() + WITHIN_MS
  for (;;) {
    const now = await sink.ask<number>('requests')
    if (now >= count || performance.now() > deadlineMs) return now
    await wait(100)
  }
}

/** The least of a few readings after garbage was collected. */
async function restingMb(service: Service) {
  await wait(SETTLE_MS)
  const readings: { rss: number; heap: number }[] = []
  for (let i = 0; i < 5; i++) {
    await service.tidy()
    await wait(300)
    const { rss, heapUsed } = await service.use()
    readings.push({ rss: rss / MB, heap: heapUsed / MB })
  }
  return readings.reduce((least, one) => (one.rss < least.rss ? one : least))
}

export const measureIdleEndpoints: Goal = async (arena) => {
  const database = await arena.database('g8')
  const [warmer, ...shops] = (await makeShops(database, SHOPS, 'pro')) as [Shop, ...Shop[]]
  const { sink, urls, env } = await openSink(arena, true, 2 * ORIGINS)
  const service = await startService(arena, database, { roles: 'web,worker', env })
  const load = makeLoad(arena)
  const announce = (to: Shop[], most: number) =>
    load.run({
      port: service.port,
      connections: 4,
      seconds: 30,
      most,
      templates: to.map((shop) => contactRequest(shop.apiKey)),
    })

  // As many deliveries as later, so that what only the first of them cost is not charged to the endpoints.
  await addEndpoints(database, [warmer.workspaceId], ORIGINS, urls.slice(0, ORIGINS))
  let warm = 0
  for (let i = 1; i <= WARM_UPS; i++) {
    await announce([warmer], (HEARING * EACH) / ORIGINS)
    warm = await received(sink, i * HEARING * EACH)
  }
  const before = await restingMb(service)
  const ids = shops.map((shop) => shop.workspaceId)
  await addEndpoints(database, ids, EACH, urls.slice(ORIGINS))
  await announce(shops.slice(0, HEARING), HEARING)
  const all = await received(sink, warm + HEARING * EACH)
  const after = await restingMb(service)
  await service.stop()
  await load.stop()

  const thousands = (ids.length * EACH) / 1_000
  const mbEach = (after.rss - before.rss) / thousands
  const ledgers: Ledger[] = [
    { what: 'deliveries', whole: (WARM_UPS + 1) * HEARING * EACH, parts: { received: all } },
  ]
  return {
    figures: [
      {
        goal: 'G8',
        what: `RSS for each 1,000 of ${ids.length * EACH} endpoints`,
        ours: mbEach,
        unit: 'MB',
        target: '<= 2 MB',
        met: mbEach <= 2,
        ledgers,
        notes: [
          `RSS ${before.rss.toFixed(1)} -> ${after.rss.toFixed(1)} MB, heap ${before.heap.toFixed(1)} -> ${after.heap.toFixed(1)} MB; ${HEARING * EACH} of the endpoints (${ORIGINS} origins) heard one event`,
        ],
      },
    ],
  }
}
