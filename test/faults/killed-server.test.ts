import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { expectLedgerBalances, newLoad, openShops, retryUnanswered, startLoad } from '../support/load.ts'
import { makeReceivers } from '../support/receiver.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
})
afterAll(() => receivers?.close())
const installation = killableInstallation(() => receivers.env)

test(
  'kill -9 under load: nothing acknowledged is lost, nothing happens twice, no event is missing',
  async () => {
    const random = randomFrom(seedOf('killed server'))
    const server = await installation.start()
    const { admin } = server
    const shops = await openShops(admin, server.url, 6)
    const receiver = await receivers.open()
    for (const shop of shops)
      expect((await shop.post('/webhooks', { url: `${receiver.url}/${shop.workspaceId}` })).status).toBe(201)
    const load = newLoad()
    let kills = 0
    const recoveriesMs: number[] = []
    for (const round of roundsOf(3)) {
      const enoughSends = load.acknowledged.size + 20 + Math.floor(random() * 600)
      const running = startLoad(load, shops, random)
      onTestFinished(running.stop)
      await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
      await server.kill()
      kills++
      const killedAt = performance.now()
      await running.stop()
      await server.restart()
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      const retries = await retryUnanswered(load)
      console.log(`round ${round}: ${load.acknowledged.size} acknowledged, ${retries} asked again`)
    }
    const ledger = await expectLedgerBalances(admin, shops, load)

    const events = await admin.query<{ id: string }>(
      `select id from events where workspace_id = any($1) and name like 'message.%' and data->>'chanmid' is not null
       and exists (select from deliveries d where d.workspace_id = events.workspace_id and d.event_id = events.id)`,
      [shops.map(({ workspaceId }) => workspaceId)],
    )
    const listReported = () => new Set(receiver.received.map((request) => request.body.id))
    await until(
      () => {
        const ids = listReported()
        return events.every((event) => ids.has(event.id))
      },
      'every event reached its receiver',
      30_000,
    )
    expect(events.length).toBeGreaterThanOrEqual(3 * load.acknowledged.size)
    // At least once: deliveries that were under way at a kill may be repeated, and no others.
    expect(receiver.received.length - listReported().size).toBeLessThan(kills * 200)
    recordFigures({
      rows: '1, G12',
      fault: 'kill -9 of the service',
      rounds: kills,
      kills,
      ...ledger,
      recoveriesMs,
    })
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  timeFor(150_000),
)
