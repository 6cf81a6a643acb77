/** The primary dies or is switched over under load; the service follows to the other host of its address. */
import { expect, onTestFinished, test } from 'vitest'
import { readHosts } from '../../src/core/values/database-hosts.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import {
  changeUnderLoad,
  expectLedgerBalances,
  expectOnlyUnavailable,
  type LoadShop,
  newLoad,
  openAdmin,
} from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { newInstallation } from '../support/server-process.ts'
import { startStandbyPair, systemPostgres } from '../support/standby-pair.ts'

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

    const loading = { load, shops, admin, url: server.url, random, withinMs: 30_000 }
    const failOver = async (change: 'stop' | 'kill'): Promise<void> => {
      const recoveredMs = await changeUnderLoad(loading, async () => {
        await primary[change]()
        await standby.promote()
      })
      recoveriesMs.push(recoveredMs)
    }

    for (const _ of roundsOf(1))
      for (const change of ['stop', 'kill'] as const) {
        await failOver(change)
        await primary.rejoin(standby)
        ;[primary, standby] = [standby, primary]
      }
    expectOnlyUnavailable(load)
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
