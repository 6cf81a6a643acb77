/** Compares the cost of a delivery while a million retries wait for their time with a thousandth of them. */
import type { Child } from '../ground/children.ts'
import { databaseCpuMs } from '../ground/database-use.ts'
import type { Drained } from '../ground/drain.ts'
import { openSink } from '../ground/receivers.ts'
import { SECRET_KEY } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import type { EngineOpening } from '../processes/engine.ts'
import type { Ledger } from '../report.ts'
import { addEndpoints, addPendingDeliveries, addWaitingRetries } from '../seeds/deliveries.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const WAITING = [1_000, 1_000_000]
const SHOPS = 40
const EACH = 25
const TARGET = 1.25

export const measureRetries: Goal = async (arena) => {
  const { sink, urls, ca } = await openSink(arena, false)
  const url = urls[0]!
  const rows = arena.quick ? 4_000 : 20_000
  const ledgers: Ledger[] = []
  const costs: { database: number; engine: number }[] = []
  for (const waiting of WAITING) {
    const database = await arena.database(`retries_${waiting}`)
    const [busy, ...shops] = await makeShops(database, SHOPS + 1, 'pro')
    const ids = shops.map((shop) => shop.workspaceId)
    await addEndpoints(database, ids, EACH, [url])
    await addEndpoints(database, [busy!.workspaceId], EACH, [url])
    await addWaitingRetries(database, ids, waiting)
    await database.admin('vacuum (analyze)')
    const engine: Child = arena.child('engine')
    const opening: EngineOpening = { databaseUrl: database.url, secretKey: SECRET_KEY, ca }
    await engine.ask('open', opening)
    const cost: { database: number; engine: number }[] = []
    for (let round = 0; round < (arena.quick ? 3 : 6); round++) {
      const expected = await addPendingDeliveries(database, busy!.workspaceId, rows)
      const before = await sink.ask<number>('requests')
      const databaseBefore = databaseCpuMs(arena.folder) ?? Number.NaN
      const drained = await engine.ask<Drained>('drain', { expected })
      const spent = (databaseCpuMs(arena.folder) ?? Number.NaN) - databaseBefore
      const received = (await sink.ask<number>('requests')) - before
      ledgers.push({ what: `deliveries beside ${waiting} retries`, whole: expected, parts: { received } })
      // The first round warms up caches and plans.
      if (round > 0)
        cost.push({ database: (spent * 1_000) / expected, engine: (drained.cpuMs * 1_000) / expected })
    }
    await engine.stop()
    costs.push({
      database: median(cost.map((sample) => sample.database)),
      engine: median(cost.map((sample) => sample.engine)),
    })
    arena.say(
      `retries: beside ${waiting}, ${Math.round(costs.at(-1)!.database)} us of the database a delivery`,
    )
  }
  const [few, manyFailed] = costs as [(typeof costs)[0], (typeof costs)[0]]
  const ratio = (manyFailed.database + manyFailed.engine) / (few.database + few.engine)
  return {
    figures: [
      {
        goal: 'retries',
        what: 'processor time of a delivery beside 1,000,000 waiting retries',
        denominator: 'the same beside 1,000',
        bare: few.database + few.engine,
        ours: manyFailed.database + manyFailed.engine,
        unit: 'us',
        ratio,
        target: `<= ${TARGET}`,
        met: ratio <= TARGET,
        ledgers,
        notes: [
          `of the database ${Math.round(few.database)} -> ${Math.round(manyFailed.database)} us, of the engine ${Math.round(few.engine)} -> ${Math.round(manyFailed.engine)} us; ${SHOPS * EACH} endpoints wait`,
        ],
      },
    ],
  }
}
