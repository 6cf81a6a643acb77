/** The primary is lost while its standby lags (docs/high-availability.md, "Synchronous replication"). */
import { expect, onTestFinished, test } from 'vitest'
import { openFailoverLoad } from '../support/failover-load.ts'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Node, startStandbyPair, systemPostgres } from '../support/standby-pair.ts'
import { until } from '../support/until.ts'

const programs = systemPostgres()
if (!programs)
  console.warn(
    'SKIPPED: a lagging standby needs the PostgreSQL of the system (Debian: apt install postgresql)',
  )

/** Sends that are acknowledged while the standby lags. */
const SENDS = 100

async function startPair(isSynchronous: boolean) {
  const pair = await startStandbyPair(programs!, { isSynchronous })
  onTestFinished(pair.remove)
  const load = await openFailoverLoad(pair.url, randomFrom(seedOf('lagging standby')))
  const [primary, standby] = pair.nodes
  /** Loses the primary after the standby has lagged behind some sends. */
  const loseWhile = (lag: (standby: Node) => Promise<void>, check: () => Promise<void> = async () => {}) =>
    load.run(async () => {
      await lag(standby)
      const before = load.countAcknowledged()
      await until(() => load.countAcknowledged() >= before + SENDS, 'sends while the standby lags')
      await check()
      primary.kill()
      await standby.promote()
    })
  return { load, standby, loseWhile }
}

test.skipIf(!programs)(
  'the primary is lost while its synchronous standby applies nothing: nothing acknowledged is lost',
  async () => {
    const { load, standby, loseWhile } = await startPair(true)
    const recoveredMs = await loseWhile(
      (node) => node.pauseReplay(),
      async () => expect(await standby.countUnapplied()).toBeGreaterThan(0),
    )
    recordFigures({
      rows: '6',
      fault: 'crash of the primary, with a synchronous standby that lags',
      rounds: 1,
      kills: 1,
      ...(await load.expectNothingLost()),
      recoveriesMs: [recoveredMs],
    })
  },
  timeFor(150_000),
)

test.skipIf(!programs)(
  'the primary is lost while its asynchronous standby lags: the last acknowledged writes are missing, and the rest is whole',
  async () => {
    const { load, loseWhile } = await startPair(false)
    const recoveredMs = await loseWhile((node) => node.stopReceiving())
    const { lost, ...figures } = await load.expectConsistent()
    expect(lost, 'the loss that the guide describes').toBeGreaterThanOrEqual(SENDS)
    recordFigures({
      rows: '6',
      fault: 'crash of the primary, with an asynchronous standby that lags',
      rounds: 1,
      kills: 1,
      ...figures,
      recoveriesMs: [recoveredMs],
    })
  },
  timeFor(240_000),
)
