/**
 * The database of docs/high-availability.md under load: a planned switch-over, and the loss of the primary's machine. Needs
 * Debian's PostgreSQL, Patroni, etcd, and HAProxy; elsewhere it is skipped with a notice.
 */
import { expect, onTestFinished, test } from 'vitest'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import {
  expectLedgerBalances,
  type LoadShop,
  newLoad,
  openAdmin,
  openShops,
  retryUnanswered,
  startLoad,
} from '../support/load.ts'
import { missingForPatroni, startPatroni, untilPaired } from '../support/patroni.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const FAULT = 'Patroni: switch-over, and loss of the machine of the primary'
const missing = missingForPatroni()
if (missing.length > 0)
  recordFigures({ rows: '6', fault: FAULT, rounds: 0, note: `NOT RUN: needs ${missing.join(', ')}` })

test.skipIf(missing.length > 0)(
  'the service follows Patroni through HAProxy, and nothing acknowledged is lost',
  async () => {
    const random = randomFrom(seedOf('patroni'))
    const cluster = await startPatroni()
    onTestFinished(cluster.remove)
    const installation = await newInstallation({ DATABASE_URL: cluster.url })
    onTestFinished(installation.remove)
    const server = await installation.start()
    const admin = openAdmin(cluster.url)
    onTestFinished(() => admin.close())
    const shops: LoadShop[] = []
    const load = newLoad()
    const recoveriesMs: number[] = []

    /** Loads the service, changes the primary by `change`, and waits until sends continue at the other machine. */
    const failOver = async (change: () => Promise<void>): Promise<void> => {
      const former = await cluster.primary()
      const fresh = await openShops(admin, server.url, 8)
      shops.push(...fresh)
      const enoughSends = load.acknowledged.size + 100 + Math.floor(random() * 300)
      const running = startLoad(load, fresh, random)
      onTestFinished(running.stop)
      await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
      const changedAt = performance.now()
      await change()
      await until(async () => {
        const primary = await cluster.primary()
        return primary !== undefined && primary !== former
      }, 'the other machine is the primary')
      const before = load.acknowledged.size
      await until(() => load.acknowledged.size > before + 50, 'sends continue at the other machine')
      recoveriesMs.push(Math.round(performance.now() - changedAt))
      await running.stop()
      await retryUnanswered(load)
    }

    await failOver(cluster.switchOver)
    await untilPaired(cluster.machines)
    const lost = (await cluster.primary())!
    await failOver(async () => lost.kill())
    lost.start()
    await untilPaired(cluster.machines)
    expect(await lost.is('sync'), 'the lost machine comes back as a standby').toBe(true)

    for (const { retryAfter, error } of load.refusals) {
      expect(error).toBe('service_unavailable')
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    expect([...load.statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    const ledger = await expectLedgerBalances(admin, shops, load)
    recordFigures({
      rows: '6',
      fault: FAULT,
      rounds: recoveriesMs.length,
      kills: 1,
      ...ledger,
      recoveriesMs,
    })
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  },
  timeFor(300_000),
)
