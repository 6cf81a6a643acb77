/**
 * The connection between the service and its database is slow, breaks anywhere, or loses everything
 * (docs/reliability.md rows 6 and 7).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { recordFigures, roundsOf, thorough, timeFor } from '../support/fault-run.ts'
import {
  type Admin,
  expectLedgerBalances,
  type LoadShop,
  newLoad,
  openAdmin,
  openShops,
  retryUnanswered,
  startLoad,
} from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

/** PostgreSQL's limit for a statement, which is also how long the service waits for a silent database. */
const LIMITS = { idleTransactionMs: 2_000, statementMs: 1_500 }
const HANGS_UP_WITHIN_MS = 7_000

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof databaseProxy>>
let parley: TestParley
let admin: Admin
let shops: LoadShop[]
beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await databaseProxy(database.url)
  parley = await boot({ databaseUrl: proxy.url, databaseLimits: LIMITS })
  admin = openAdmin(database.url)
  shops = await openShops(admin, parley.url, 6)
})
afterAll(async () => {
  await parley?.close()
  await admin?.close()
  await proxy?.close()
  await database?.drop()
})

type Corruption = { corrupt(random: () => number): Promise<void>; repair(): void }

const WAYS: Record<string, Corruption> = {
  'breaks in the middle of what passes': {
    corrupt: async (random) => {
      const before = proxy.cuts()
      proxy.cutAfter(Math.floor(random() * 200_000))
      await until(() => proxy.cuts() > before, 'the connection breaks')
    },
    repair: () => {},
  },
  'is slow': {
    corrupt: async (random) => {
      proxy.delay(20 + random() * 150)
      await wait(500 + random() * 1_000)
    },
    repair: () => proxy.delay(0),
  },
  'swallows everything': {
    corrupt: async (random) => {
      proxy.swallow(true)
      await wait(200 + random() * 2_000)
    },
    repair: () => proxy.swallow(false),
  },
}

test(
  'requests over a bad connection are answered, and nothing is lost or doubled',
  async () => {
    const random = randomFrom(seedOf('bad way'))
    const load = newLoad()
    const corruptions = Object.entries(WAYS)
    const recoveriesMs: number[] = []
    let rounds = 0
    for (const round of roundsOf(corruptions.length)) {
      const [name, corruption] = corruptions[(round - 1) % corruptions.length]!
      const enoughSends = load.acknowledged.size + 30 + Math.floor(random() * 100)
      const running = startLoad(load, shops, random)
      await until(() => load.acknowledged.size >= enoughSends, 'the load has started')
      await corruption.corrupt(random)
      const repairedAt = performance.now()
      const before = load.acknowledged.size
      corruption.repair()
      await until(
        () => load.acknowledged.size > before + 20,
        `sends continue after a connection that ${name}`,
        30_000,
      )
      recoveriesMs.push(Math.round(performance.now() - repairedAt))
      await running.stop()
      await retryUnanswered(load)
      rounds++
      // Waits until the buckets are full again.
      if (thorough) await wait(2_000)
    }
    expect([...load.statuses.keys()].filter((status) => ![200, 409, 429, 503].includes(status))).toEqual([])
    for (const { retryAfter, error } of load.refusals) {
      expect(error).toBe('service_unavailable')
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    expect(load.slowestMs()).toBeLessThan(HANGS_UP_WITHIN_MS + 8_000)
    const ledger = await expectLedgerBalances(admin, shops, load)
    recordFigures({ rows: '6, 7', fault: 'a bad way to the database', rounds, ...ledger, recoveriesMs })
  },
  timeFor(120_000),
)
