import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import {
  expectLedgerBalances,
  expectOnlyUnavailable,
  type LoadShop,
  newLoad,
  openAdmin,
  openShops,
  retryUnanswered,
  startLoad,
} from '../support/load.ts'
import { family, killAll } from '../support/process-family.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

let installation: Installation
beforeAll(async () => {
  installation = await newInstallation()
})
afterAll(() => installation?.remove())

test(
  'kill -9 of every PostgreSQL process under load: 503 with Retry-After, no exit, nothing acknowledged is lost',
  async () => {
    const random = randomFrom(seedOf('killed database'))
    const server = await installation.start()
    onTestFinished(() => installation.end())
    const admin = openAdmin(installation.databaseUrl())
    const shops: LoadShop[] = []
    const load = newLoad()
    let kills = 0
    const recoveriesMs: number[] = []
    for (const round of roundsOf(2)) {
      const enoughSends = load.acknowledged.size + 100 + Math.floor(random() * 400)
      // Another shop's bucket may be empty, because this server and its in-memory buckets keep running.
      const fresh = await openShops(admin, server.url, 8)
      shops.push(...fresh)
      const running = startLoad(load, fresh, random)
      onTestFinished(running.stop)
      await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
      const postmaster = installation.postmaster() as number
      const killedAt = performance.now()
      killAll(family(postmaster))
      kills++
      const before = load.acknowledged.size
      await until(() => load.refusals.length > 0, 'requests fail')
      await until(
        () => load.acknowledged.size > before + 50,
        'the database is back, and sends continue',
        30_000,
      )
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      await running.stop()
      expect(installation.postmaster()).not.toBe(postmaster)
      const retries = await retryUnanswered(load)
      console.log(`round ${round}: ${load.acknowledged.size} acknowledged, ${retries} asked again`)
    }
    expectOnlyUnavailable(load)
    expect(load.slowestMs()).toBeLessThan(5_000)
    expect(server.output()).not.toContain('unhandled promise rejection')
    const ledger = await expectLedgerBalances(admin, shops, load)
    recordFigures({
      rows: '6, G12, G13',
      fault: 'kill -9 of every database process',
      rounds: kills,
      kills,
      ...ledger,
      recoveriesMs,
    })
    await admin.close()
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  },
  timeFor(150_000),
)
