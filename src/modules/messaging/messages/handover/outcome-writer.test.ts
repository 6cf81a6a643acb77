/** Outcomes of hand-overs that are written while other writers lock the same messages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../../../test/support/boot.ts'
import { openAdmin } from '../../../../../test/support/load.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { cloudShop, numberIn, standInOperator } from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'
import { systemClock } from '../../../../core/clock.ts'
import { writeOutcomes } from './outcome-writer.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})

test("outcomes are written in the order in which receipts lock messages, in any order of the calls' ends", async () => {
  const writer = openAdmin(parley.databaseUrl)
  const shop = await cloudShop(parley)
  const customers = ['+919812345671', '+919812345672']
  await shop.writesAll(customers)
  // Its calls never end, so only this test writes their outcomes.
  operator.answerFor(shop.operatorId, () => {})
  const ids: string[] = []
  for (const to of customers)
    ids.push((await shop.post('/send', { to, type: 'text', text: 'Hi' })).body.messageId)
  await until(
    () =>
      operator.taken.filter((call) => numberIn(call.request.url) === shop.operatorId).length === ids.length,
    'the calls have started',
  )
  const [first, second] = ids.sort() as [string, string]
  const lock = 'select id from messages where workspace_id = $1 and id = $2 for update'

  let written: Promise<void> | undefined
  await parley
    .system(async (tx) => {
      await tx.sql(lock, [shop.workspaceId, first])
      const results = [second, first].map((id) => ({
        workspaceId: shop.workspaceId,
        id,
        outcome: { kind: 'accepted' as const, chanmid: `wamid.${id}` },
      }))
      written = writeOutcomes(
        { database: writer, clock: systemClock, workspaces: async () => new Map() },
        results,
      )
      await until(async () => (await lockWaits(writer.query)).length > 0, 'the writer waits')
      await tx.sql(`${lock} nowait`, [shop.workspaceId, second])
    })
    .finally(() => written)
  const rows = await parley.system((tx) =>
    tx.sql<{ chanmid: string }>('select chanmid from messages where workspace_id = $1 and id = any($2)', [
      shop.workspaceId,
      ids,
    ]),
  )
  expect(rows.map(({ chanmid }) => chanmid).sort()).toEqual([`wamid.${first}`, `wamid.${second}`])
  await writer.close()
})
