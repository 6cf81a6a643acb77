/**
 * The database of docs/high-availability.md under load: a planned switch-over, and the loss of the primary's machine. Needs
 * Debian's PostgreSQL, Patroni, etcd, and HAProxy; elsewhere it is skipped with a notice.
 */
import { expect, onTestFinished, test } from 'vitest'
import { openFailoverLoad } from '../support/failover-load.ts'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import { missingForPatroni, startPatroni, untilPaired } from '../support/patroni.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
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
    const load = await openFailoverLoad(cluster.url, random)
    const recoveriesMs: number[] = []

    const failOver = async (change: () => unknown): Promise<void> => {
      const former = await cluster.primary()
      const recoveredMs = await load.run(async () => {
        await change()
        await until(async () => {
          const primary = await cluster.primary()
          return primary !== undefined && primary !== former
        }, 'the other machine is the primary')
      })
      recoveriesMs.push(recoveredMs)
    }

    await failOver(cluster.switchOver)
    await untilPaired(cluster.machines)
    const lost = (await cluster.primary())!
    await failOver(lost.kill)
    lost.start()
    await untilPaired(cluster.machines)
    expect(await lost.is('sync'), 'the lost machine comes back as a standby').toBe(true)

    const figures = await load.expectNothingLost()
    recordFigures({
      rows: '6',
      fault: FAULT,
      rounds: recoveriesMs.length,
      kills: 1,
      ...figures,
      recoveriesMs,
    })
    expect(await load.server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  },
  timeFor(300_000),
)
