import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.ts'
import { openAsService } from '../../../../../test/support/open-database.ts'
import { type Clock, later, MINUTE_MS, systemClock } from '../../../../core/clock.ts'
import { newId } from '../../../../core/ids.ts'
import { createSealer } from '../../../../core/sealing.ts'
import type { OpenDatabase } from '../../../../database/database.ts'
import { createWorkspace } from '../../workspaces/operations/workspaces.ts'
import { deletedWebhooksSource } from './deleted-webhooks-source.ts'

let place: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  place = await createTestDatabase()
  database = openAsService(place.url)
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

let aheadMs = 0
const clock: Clock = {
  now: () => later(systemClock.now(), aheadMs),
  monotonicMs: () => systemClock.monotonicMs() + aheadMs,
}
const run = () => deletedWebhooksSource({ database, clock }).runDue({})

async function makeDeleted() {
  const { workspaceId } = await database.system((tx) =>
    createWorkspace(tx, { name: 'Shop' }, systemClock.now(), createSealer('the key of these tests')),
  )
  const endpointId = newId()
  await database.query(
    `insert into deleted_webhook_endpoints (workspace_id, id, removed_at, pending_until)
     values ($1, $2, $3, $4)`,
    [workspaceId, endpointId, clock.now(), later(clock.now(), 10 * MINUTE_MS)],
  )
  const add = (count: number) =>
    database.query(
      `insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
       select $1, id, $2, id, 'x', $3, $3, $3 from unnest($4::uuid[]) id`,
      [workspaceId, endpointId, clock.now(), Array.from({ length: count }, newId)],
    )
  const pending = async () =>
    (await database.query('select from deliveries where endpoint_id = $1', [endpointId])).length
  const isWatched = async () =>
    (
      await database.query(
        'select from deleted_webhook_endpoints where id = $1 and pending_until is not null',
        [endpointId],
      )
    ).length === 1
  return { add, pending, isWatched }
}

test('the pending deliveries of a deleted endpoint are deleted in bounded batches', async () => {
  const deletedEndpoint = await makeDeleted()
  await deletedEndpoint.add(2_100)
  expect(await run()).toBe(1_000)
  expect(await deletedEndpoint.pending()).toBe(1_100)
  expect([await run(), await run()]).toEqual([1_000, 0])
  expect(await deletedEndpoint.pending()).toBe(0)
})

test('deliveries that an older transaction adds after the deletion are deleted too, and then the endpoint is no longer checked', async () => {
  const deletedEndpoint = await makeDeleted()
  await run()
  await deletedEndpoint.add(1)
  await run()
  expect([await deletedEndpoint.pending(), await deletedEndpoint.isWatched()]).toEqual([0, true])
  aheadMs = 11 * MINUTE_MS
  await deletedEndpoint.add(1)
  await database.system(async (tx) => {
    await tx.sql('select from deliveries for update')
    await run()
    expect(
      [await deletedEndpoint.pending(), await deletedEndpoint.isWatched()],
      'somebody holds its last row',
    ).toEqual([1, true])
  })
  await run()
  expect([await deletedEndpoint.pending(), await deletedEndpoint.isWatched()]).toEqual([0, false])
})
