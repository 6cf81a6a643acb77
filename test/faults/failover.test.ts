/** The primary dies or is switched over under load; the service follows to the other host of its address. */
import { expect, onTestFinished, test } from 'vitest'
import { readHosts } from '../../src/core/values/database-hosts.ts'
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
import { newInstallation } from '../support/server-process.ts'
import { startStandbyPair, systemPostgres } from '../support/standby-pair.ts'
import { until } from '../support/until.ts'

const programs = systemPostgres()
if (!programs)
  console.warn('SKIPPED: failover needs the PostgreSQL of the system (Debian: apt install postgresql)')

test.skipIf(!programs)(
  'switch-over and crash of the primary under load: the service follows, and nothing acknowledged is lost',
  async () => {
    const random = randomFrom(seedOf('failover'))
    const pair = await startStandbyPair(programs!)
    onTestFinished(pair.remove)
    const installation = await newInstallation({ DATABASE_URL: pair.url })
    onTestFinished(installation.remove)
    const server = await installation.start()
    const admin = openAdmin(readHosts(pair.url)!)
    onTestFinished(() => admin.close())
    let [primary, standby] = pair.nodes
    const shops: LoadShop[] = []
    const load = newLoad()
    const recoveriesMs: number[] = []

    /** Loads the service, changes the primary by `change`, and waits until sends continue at the other host. */
    const failOver = async (change: () => Promise<void>): Promise<void> => {
      const fresh = await openShops(admin, server.url, 8)
      shops.push(...fresh)
      const enoughSends = load.acknowledged.size + 100 + Math.floor(random() * 300)
      const running = startLoad(load, fresh, random)
      onTestFinished(running.stop)
      await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
      const changedAt = performance.now()
      await change()
      await standby.promote()
      const before = load.acknowledged.size
      await until(() => load.acknowledged.size > before + 50, 'sends continue at the other host', 30_000)
      recoveriesMs.push(Math.round(performance.now() - changedAt))
      await running.stop()
      await retryUnanswered(load)
    }

    for (const _ of roundsOf(1))
      for (const change of ['stop', 'kill'] as const) {
        await failOver(async () => primary[change]())
        await primary.rejoin(standby)
        ;[primary, standby] = [standby, primary]
      }
    for (const { retryAfter, error } of load.refusals) {
      expect(error).toBe('service_unavailable')
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    expect([...load.statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    expect(server.output()).not.toContain('unhandled promise rejection')
    const ledger = await expectLedgerBalances(admin, shops, load)
    recordFigures({
      rows: '6',
      fault: 'switch-over and crash of the primary, with a synchronous standby',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      ...ledger,
      recoveriesMs,
    })
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  },
  timeFor(150_000),
)
