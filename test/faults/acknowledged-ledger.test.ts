import { afterAll, beforeAll, expect, test } from 'vitest'
import { rememberAcknowledged } from '../../bench/ground/acknowledged.ts'
import { idempotencyKeyOf, SERIAL_DIGITS } from '../../bench/ground/requests.ts'
import { acknowledgedLedger, textOf } from '../support/acknowledged-ledger.ts'
import { boot, type TestParley } from '../support/boot.ts'

const REACHED = '+919812345678'
const SENDS = 6

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

test('the ledger of acknowledged sends sees lost, forgotten, doubled, miscounted, and unreported sends', async () => {
  const shop = await parley.workspace({ sandbox: true })
  // Sent without a key, because the ledger checks all keys in the database.
  expect((await shop.post('/sandbox/inbound', { from: REACHED, text: 'hello' })).status).toBe(202)
  await shop.advance(1)
  const acknowledged = rememberAcknowledged()
  for (let n = 0; n < SENDS; n++) {
    const serial = String(n).padStart(SERIAL_DIGITS, '0')
    const { status, body } = await shop.post(
      '/send',
      { to: REACHED, type: 'text', text: textOf(serial) },
      { idempotencyKey: idempotencyKeyOf(serial) },
    )
    expect(status).toBe(200)
    acknowledged.add(n, body.messageId)
  }
  await shop.advance(60)
  const ledger = () =>
    acknowledgedLedger(parley.databaseUrl, {
      chats: [{ workspaceId: shop.workspaceId, phone: REACHED }],
      requestCount: SENDS,
      page: async (from, count) => acknowledged.page(from, count),
    })
  const right = {
    acknowledged: SENDS,
    lost: 0,
    forgotten: 0,
    doubled: 0,
    unheard: 0,
    quotaOff: 0,
    analyticsOff: 0,
    eventsMissing: 0,
    eventsWrong: 0,
    handedOver: SENDS,
  }
  expect(await ledger()).toEqual(right)

  const ledgerAfter = async (statement: string, n: number) => {
    const before = await ledger()
    await parley.system((tx) => tx.sql(statement, [shop.workspaceId, acknowledged.idOf(n)]))
    const after = await ledger()
    return Object.fromEntries(
      Object.entries(after).flatMap(([name, count]) => {
        const more = count - before[name as keyof typeof before]
        return more === 0 ? [] : [[name, more]]
      }),
    )
  }
  const ofMessage = `workspace_id = $1 and id = $2`
  const ofEvent = `workspace_id = $1 and data->>'messageId' = $2::uuid::text`
  expect(
    await ledgerAfter(`update messages set content = '{"body": "something else"}' where ${ofMessage}`, 0),
  ).toEqual({ lost: 1 })
  expect(await ledgerAfter(`delete from messages where ${ofMessage}`, 1)).toEqual({
    lost: 1,
    handedOver: -1,
    quotaOff: 1,
    analyticsOff: 1,
  })
  expect(
    await ledgerAfter(
      `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
       select workspace_id, uuidv7(), conversation_id, contact_id, phone_number_id, direction, type, content, 'queued', created_at
       from messages where ${ofMessage}`,
      2,
    ),
  ).toEqual({ doubled: 1, quotaOff: -1 })
  expect(
    await ledgerAfter(
      `update idempotency_keys set answer = convert_to(replace(convert_from(answer, 'UTF8'), $2::uuid::text, workspace_id::text), 'UTF8')
       where workspace_id = $1`,
      3,
    ),
  ).toEqual({ forgotten: 1 })
  expect(
    await ledgerAfter(
      `update idempotency_keys set key_digest = workspace_id
       where workspace_id = $1 and convert_from(answer, 'UTF8') like '%' || $2::uuid::text || '%'`,
      4,
    ),
  ).toEqual({ forgotten: 1, unheard: 1 })
  expect(
    await ledgerAfter(`delete from events where ${ofEvent} and data->>'status' = 'delivered'`, 4),
  ).toEqual({ eventsMissing: 1 })
  expect(
    await ledgerAfter(
      `insert into events (workspace_id, id, name, data, created_at)
       select workspace_id, uuidv7(), name, data, created_at from events where ${ofEvent} and data->>'status' = 'sent'`,
      5,
    ),
  ).toEqual({ eventsWrong: 1 })
})
