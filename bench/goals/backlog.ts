/** Measures the memory of the process that delivers the backlog of 10,000 endpoints. */
import { setTimeout as wait } from 'node:timers/promises'
import { watchMemory } from '../ground/memory-watch.ts'
import { openSink } from '../ground/receivers.ts'
import { startService } from '../ground/service.ts'
import type { Ledger } from '../report.ts'
import { addEndpoints, addPendingDeliveries } from '../seeds/deliveries.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const SHOPS = 400
const EACH = 25
const ORIGINS = 250
const MAX_MB = 400
const SEEDS_AT_ONCE = 8

export const measureBacklog: Goal = async (arena) => {
  const database = await arena.database('backlog')
  const { sink, urls, env } = await openSink(arena, true, ORIGINS)
  const shops = await makeShops(database, SHOPS, 'pro')
  const ids = shops.map((shop) => shop.workspaceId)
  await addEndpoints(database, ids, EACH, urls)
  const waitingEach = arena.quick ? 10 : 100
  let deliveryCount = 0
  const left = [...ids]
  const seed = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const rows = await addPendingDeliveries(database, id, EACH * waitingEach)
      deliveryCount += rows
    }
  }
  await Promise.all(Array.from({ length: SEEDS_AT_ONCE }, seed))
  await database.admin('vacuum (analyze)')
  arena.say(`backlog: ${deliveryCount} deliveries wait at ${SHOPS * EACH} endpoints`)

  const service = await startService(arena, database, { roles: 'worker', env })
  const memory = watchMemory(service.use)
  const startedMs = performance.now()
  const withinMs = arena.quick ? 60_000 : 600_000
  let received = 0
  while (received < deliveryCount && performance.now() - startedMs < withinMs) {
    await wait(250)
    received = await sink.ask<number>('requests')
  }
  const seconds = (performance.now() - startedMs) / 1_000
  const used = memory.end()
  // Attempts in flight are finished, and their results are written.
  await service.stop()
  received = await sink.ask<number>('requests')
  const [row] = await database.sql<Record<string, string>>(
    `select count(*) filter (where status = 'succeeded') as succeeded, count(*) filter (where status = 'pending') as pending,
            count(*) filter (where status = 'failed') as failed from deliveries`,
  )
  const ledgers: Ledger[] = [
    {
      what: 'deliveries',
      whole: deliveryCount,
      // A failed attempt stays in the log, and the next one is pending.
      parts: { succeeded: Number(row!.succeeded), pending: Number(row!.pending) },
    },
    {
      what: 'received by the sink',
      whole: received,
      parts: {
        succeeded: Number(row!.succeeded),
        'cut off, and coming again': Math.max(0, received - Number(row!.succeeded)),
      },
    },
  ]
  return {
    figures: [
      {
        goal: 'backlog',
        what: `RSS at most while ${SHOPS * EACH} endpoints with backlog are served`,
        ours: used.maxMb,
        unit: 'MB',
        target: `<= ${MAX_MB} MB`,
        met: used.maxMb <= MAX_MB,
        ledgers,
        notes: [
          `${Number(row!.succeeded)} deliveries over https to ${ORIGINS} origins in ${seconds.toFixed(0)} s, ${Number(row!.failed)} attempts failed; heap at most ${Math.round(used.maxHeapMb)} MB`,
        ],
      },
    ],
  }
}
