/** G8: measures the memory of registered endpoints that receive few events. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Child } from '../ground/children.ts'
import { openSink } from '../ground/receivers.ts'
import { makeLoad, type Service, startService } from '../ground/service.ts'
import type { Ledger } from '../report.ts'
import { addEndpoints } from '../seeds/deliveries.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import { contactRequest } from './g2-contacts.ts'
import type { Goal } from './goal.ts'

const SHOPS = 400
const EACH = 25
/** Each warm-up uses other origins, so that memory kept for an origin is visible. */
const ORIGINS = 250
/** Shops that receive events. */
const HEARING = 40
const WARM_UPS = 4
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

/** Returns the lowest of a few readings after garbage collection. */
async function restingMb(service: Service) {
  await wait(SETTLE_MS)
  const readings: { rss: number; heap: number }[] = []
  for (let i = 0; i < 5; i++) {
    await service.tidy()
    await wait(300)
    const { rss, heapUsed } = await service.use()
    readings.push({ rss: rss / MB, heap: heapUsed / MB })
  }
  return readings.reduce((least, reading) => (reading.rss < least.rss ? reading : least))
}

export const measureIdleEndpoints: Goal = async (arena) => {
  const database = await arena.database('g8')
  const allShops = await makeShops(database, WARM_UPS * HEARING + SHOPS, 'pro')
  const warmers = Array.from({ length: WARM_UPS }, (_, i) => allShops.slice(i * HEARING, (i + 1) * HEARING))
  const shops = allShops.slice(WARM_UPS * HEARING)
  const { sink, urls, env } = await openSink(arena, true, (WARM_UPS + 1) * ORIGINS)
  const service = await startService(arena, database, { roles: 'web,worker', env })
  const load = makeLoad(arena)
  const announce = (to: Shop[], max: number) =>
    load.run({
      port: service.port,
      connections: 4,
      seconds: 30,
      max,
      templates: to.map((shop) => contactRequest(shop.apiKey)),
    })

  let due = 0
  const announceTo = async (group: Shop[], origins: string[]) => {
    await addEndpoints(
      database,
      group.map((shop) => shop.workspaceId),
      EACH,
      origins,
    )
    await announce(group.slice(0, HEARING), HEARING)
    due += HEARING * EACH
    return received(sink, due)
  }
  // Warms up with as many deliveries, shops, and new origins at the same time as the measurement. So the cost
  // of a burst (memory that the allocator keeps after the handshakes) is not counted for the endpoints.
  for (const [i, group] of warmers.entries()) {
    await announceTo(group, urls.slice(i * ORIGINS, (i + 1) * ORIGINS))
    await wait(SETTLE_MS)
  }
  const before = await restingMb(service)
  const receivedCount = await announceTo(shops, urls.slice(WARM_UPS * ORIGINS))
  const after = await restingMb(service)
  await service.stop()
  await load.stop()

  const thousands = (shops.length * EACH) / 1_000
  const mbEach = (after.rss - before.rss) / thousands
  const ledgers: Ledger[] = [{ what: 'deliveries', whole: due, parts: { received: receivedCount } }]
  return {
    figures: [
      {
        goal: 'G8',
        what: `RSS for each 1,000 of ${shops.length * EACH} endpoints`,
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
