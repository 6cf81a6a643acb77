import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectLedgerBalances,
  newLoad,
  openAdmin,
  openShops,
  retryUnanswered,
  startLoad,
} from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

let installation: Installation
beforeAll(async () => {
  installation = await newInstallation()
})
afterAll(() => installation?.remove())

test('SIGTERM under load: accepted requests are answered, everything ends within 10 s, nothing is lost', async () => {
  const random = randomFrom(seedOf('asked to stop'))
  let server = await installation.start()
  const first = openAdmin(installation.databaseUrl())
  const shops = await openShops(first, server.url, 6)
  await first.close()
  const load = newLoad()
  const running = startLoad(load, shops, random)
  const enoughSends = 50 + Math.floor(random() * 300)
  await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
  const startedMs = performance.now()
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  expect(installation.postmaster()).toBeUndefined()
  expect(server.output(), 'a clean stop loses nothing that is worth a warning').not.toContain(
    'connection lost',
  )
  await running.stop()

  server = await installation.start()
  const admin = openAdmin(installation.databaseUrl())
  const stored = await admin.query<{ id: string }>("select id from messages where direction = 'outbound'")
  const answered = new Set(load.acknowledged.values())
  expect(
    stored.filter(({ id }) => !answered.has(id)),
    'carried out and not answered',
  ).toEqual([])
  const retries = await retryUnanswered(load)
  console.log(`${load.acknowledged.size} acknowledged, ${retries} asked again`)
  await expectLedgerBalances(admin, shops, load)
  await admin.close()
  expect((await server.end('SIGTERM')).code).toBe(0)
})
