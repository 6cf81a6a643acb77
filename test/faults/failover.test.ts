/** The primary dies or is switched over under load; the service follows to the other host of its address. */
import { expect, onTestFinished, test } from 'vitest'
import { openFailoverLoad } from '../support/failover-load.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
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
    const load = await openFailoverLoad(pair.url, random)
    let [primary, standby] = pair.nodes
    const recoveriesMs: number[] = []

    for (const _ of roundsOf(1))
      for (const change of ['stop', 'kill'] as const) {
        const recoveredMs = await load.run(async () => {
          await primary[change]()
          await standby.promote()
        })
        recoveriesMs.push(recoveredMs)
        await primary.rejoin(standby)
        ;[primary, standby] = [standby, primary]
      }
    const figures = await load.expectNothingLost()
    recordFigures({
      rows: '6',
      fault: 'switch-over and crash of the primary, with a synchronous standby',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      ...figures,
      recoveriesMs,
    })
    expect(await load.server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  },
  timeFor(150_000),
)
