/**
 * Measures the time until work continues after a kill of the database's processes or of a worker
 * (docs/reliability.md G12, G13).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import {
  expectLedgerBalances,
  type LoadShop,
  newLoad,
  openAdmin,
  openShops,
  retryUnanswered,
  startLoad,
} from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const SLOT_MS = 250
const EVERY_MS = 60
const MAX_RECOVERY_MS = 20_000

/** Reads at a steady pace, far below any limit; returns how many requests succeeded in each slot of time. */
function steadyReads(shops: LoadShop[]) {
  const startedMs = performance.now()
  const slots: number[] = []
  const timers = shops.map((shop) =>
    setInterval(() => {
      shop.get('/contacts?limit=1').then(
        ({ status }) => {
          const slot = Math.floor((performance.now() - startedMs) / SLOT_MS)
          if (status === 200) slots[slot] = (slots[slot] ?? 0) + 1
        },
        () => {},
      )
    }, EVERY_MS),
  )
  return {
    slotNow: () => Math.floor((performance.now() - startedMs) / SLOT_MS),
    countIn: (slot: number) => slots[slot] ?? 0,
    stop: () => {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

test(
  'after kill -9 of the database 95 % of the rate is back within 20 s',
  async () => {
    const installation = await newInstallation()
    onTestFinished(() => installation.remove())
    const server = await installation.start()
    const admin = openAdmin(installation.databaseUrl())
    const shops = await openShops(admin, server.url, 6)
    const recoveriesMs: number[] = []
    for (const _ of roundsOf(2)) {
      const reads = steadyReads(shops)
      await wait(2_500)
      const end = reads.slotNow()
      const before = [1, 2, 3, 4, 5, 6, 7, 8]
        .map((slotsBack) => reads.countIn(end - slotsBack))
        .sort((a, b) => a - b)
      // The median of the slots before the kill, because a crowded machine has slow moments.
      const usualCount = before[4]!
      process.kill(installation.postmaster() as number, 'SIGKILL')
      const killedAt = performance.now()
      const slot = reads.slotNow()
      let slotSeen = slot + 1
      await until(
        () => {
          while (slotSeen + 1 < reads.slotNow()) {
            const pair = reads.countIn(slotSeen) + reads.countIn(slotSeen + 1)
            if (pair >= 2 * usualCount * 0.95 && slotSeen > slot + 1) return true
            slotSeen++
          }
          return false
        },
        '95 % of the rate is back',
        MAX_RECOVERY_MS,
      )
      recoveriesMs.push(Math.min(performance.now() - killedAt, (slotSeen - slot) * SLOT_MS))
      reads.stop()
      await wait(1_000)
    }
    recordFigures({
      rows: 'G13',
      fault: 'until 95 % of the rate after kill -9 of the database',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      recoveriesMs,
    })
    await admin.close()
    expect(server.output()).not.toContain('unhandled promise rejection')
  },
  timeFor(120_000),
)

test(
  'backends killed one by one under load: nothing is lost or doubled',
  async () => {
    const random = randomFrom(seedOf('killed backends'))
    const database = await createTestDatabase()
    const killer = new pg.Client({ connectionString: database.url, application_name: 'killer' })
    await killer.connect()
    const installation = await newInstallation({ DATABASE_URL: database.url })
    onTestFinished(async () => {
      await installation.remove()
      await killer.end()
      await database.drop()
    })
    const server = await installation.start()
    const opening = openAdmin(database.url)
    const shops = await openShops(opening, server.url, 6)
    // From here on only the service's own connections exist.
    await opening.close()
    const load = newLoad()
    let kills = 0
    let rounds = 0
    for (const round of roundsOf(5)) {
      rounds = round
      const running = startLoad(load, shops, random)
      const enoughSends = load.acknowledged.size + 50 + Math.floor(random() * 200)
      await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
      const ended = await killer.query(
        // With an offset: in one condition with the rest, PostgreSQL might end a backend before it checks
        // which database the backend serves.
        `select pid from (
           select pid from pg_stat_activity where datname = current_database() and application_name like 'parley%' offset 0
         ) own where random() < 0.5 and pg_terminate_backend(pid)`,
      )
      kills += ended.rows.length
      const before = load.acknowledged.size
      await until(() => load.acknowledged.size > before + 10, 'sends continue')
      await running.stop()
      await retryUnanswered(load)
      await wait(2_000)
    }
    const admin = openAdmin(database.url)
    const ledger = await expectLedgerBalances(admin, shops, load)
    recordFigures({ rows: '6, G12', fault: 'backends of the database ended', rounds, kills, ...ledger })
    await admin.close()
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  timeFor(120_000),
)

test(
  "a killed worker's work is taken over within 30 s",
  async () => {
    const random = randomFrom(seedOf('killed worker'))
    const database = await createTestDatabase()
    const admin = openAdmin(database.url)
    const env = { DATABASE_URL: database.url }
    const web = await newInstallation({ ...env, PARLEY_ROLES: 'web' })
    const workers: Installation[] = []
    for (let i = 0; i < 2; i++) workers.push(await newInstallation({ ...env, PARLEY_ROLES: 'worker' }))
    onTestFinished(async () => {
      for (const installation of [web, ...workers]) await installation.remove()
      await admin.close()
      await database.drop()
    })
    const server = await web.start()
    const running = await Promise.all(workers.map((worker) => worker.start()))
    const shops = await openShops(admin, server.url, 6)
    const load = newLoad()
    const recoveriesMs: number[] = []
    for (const round of roundsOf(2)) {
      const loadRun = startLoad(load, shops, random)
      const enoughSends = load.acknowledged.size + 100 + Math.floor(random() * 200)
      await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
      const victim = round % 2
      await running[victim]!.end('SIGKILL')
      const killedAt = performance.now()
      await loadRun.stop()
      await until(
        async () =>
          (
            await admin.query(
              "select 1 from messages where direction = 'outbound' and status not in ('read', 'failed') limit 1",
            )
          ).length === 0,
        'the work of the stopped process is done',
        60_000,
      )
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      running[victim] = await workers[victim]!.start()
    }
    await retryUnanswered(load)
    const ledger = await expectLedgerBalances(admin, shops, load)
    recordFigures({
      rows: 'G12, G13',
      fault: 'kill -9 of a worker beside another',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      ...ledger,
      recoveriesMs,
      note: 'recovery is until everything sent before the kill has gone its whole way',
    })
    expect(Math.max(...recoveriesMs)).toBeLessThan(30_000)
  },
  timeFor(180_000),
)
