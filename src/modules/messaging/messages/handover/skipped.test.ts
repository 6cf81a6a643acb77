/** A message that Parley decides not to send ends as skipped, with its reason (spec 2.5, 3). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { movingClock } from '../../../../../test/support/moving-clock.ts'
import { order, payingShop } from '../../../../../test/support/payments.ts'
import { cloudShop, refuseWith, standInOperator } from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'
import { createSealer } from '../../../../core/sealing.ts'
import { armFault } from '../../../automating/sandbox/simulated-faults.ts'
import { disconnectNumber } from '../../../platform/workspaces/operations/number-credentials.ts'

const HOUR_MS = 3_600_000
const customer = '+919812345678'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
const clock = movingClock()
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ clock, env: operator.env })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})

const messageOf = async (shop: Pick<TestWorkspace, 'get'>, id: string) =>
  (await shop.get(`/messages/${id}`)).body.message
const expectFinal = (shop: Pick<TestWorkspace, 'get'>, id: string) =>
  until(async () => {
    const message = await messageOf(shop, id)
    return ['queued', 'sent'].includes(message.status) ? undefined : message
  }, 'the message has its final state')
const failures = async (shop: Pick<TestWorkspace, 'get'>) =>
  (await shop.get('/events?limit=100&events=message.failed,message.status')).body.events.filter(
    (event: { event: string; data: { status?: string } }) =>
      event.event === 'message.failed' || event.data.status === 'failed',
  )
const text = async (shop: Pick<TestWorkspace, 'post'>, to = customer): Promise<string> => {
  const answer = await shop.post('/send', { to, type: 'text', text: 'It is on its way' })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}

test('a message whose window closed while it waited, and that the operator never refused, is skipped', async () => {
  const idle = await boot({ clock, env: { PARLEY_ROLES: 'web' } })
  const shop = await idle.workspace({ sandbox: true })
  await shop.inbound(customer, 'Hello')
  const id = await text(shop)
  await idle.system((tx) =>
    tx.sql(
      `update conversations set window_expires_at = window_expires_at - interval '25 hours' where workspace_id = $1`,
      [shop.workspaceId],
    ),
  )
  await idle.system((tx) =>
    tx.sql(
      `update messages set created_at = created_at - interval '1 hour' where workspace_id = $1 and id = $2`,
      [shop.workspaceId, id],
    ),
  )
  await shop.advance(10)
  expect(await messageOf(shop, id)).toMatchObject({
    status: 'skipped',
    skipReason: 'window_closed',
    error: null,
  })
  expect(await failures(shop)).toEqual([])
  await idle.close()
})

test('the messages of a number that the workspace removes are skipped', async () => {
  const shop = await cloudShop(parley)
  await shop.writes(customer)
  operator.answer(refuseWith(400, { code: 131048, message: 'Spam rate limit hit' }))
  const id = await text(shop)
  const numbers = async () => (await shop.get('/phone-numbers')).body.phoneNumbers
  await until(async () => (await numbers())[0].pausedUntil !== null, 'the number pauses')
  await until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ leasedUntil: Date | null }>('select leased_until from messages where id = $1', [id]),
    )
    return row!.leasedUntil === null
  }, 'the message waits again')
  await parley.system((tx) => disconnectNumber(tx, shop.cloudNumberId, clock.now(), createSealer(SECRET_KEY)))
  expect(await expectFinal(shop, id)).toMatchObject({
    status: 'skipped',
    skipReason: 'number_removed',
    error: null,
  })
  expect(await failures(shop)).toEqual([])
})

test('a message that waited for the operator is still handed over, and its refusal is reported', async () => {
  const shop = await cloudShop(parley)
  await shop.writes(customer)
  operator.answer(refuseWith(400, { code: 131048, message: 'Spam rate limit hit' }))
  const first = await text(shop)
  const pausedNumber = async () => (await shop.get('/phone-numbers')).body.phoneNumbers[0].pausedUntil
  await until(async () => (await pausedNumber()) !== null, 'the number pauses')
  operator.answer(refuseWith(400, { code: 131047, message: 'Re-engagement message' }))
  clock.aheadMs += 25 * HOUR_MS
  parley.wake()
  const message = await expectFinal(shop, first)
  expect(message).toMatchObject({ status: 'failed', error: { code: 131047 }, skipReason: null })
})

test('a payment request whose link is ready after the window closed is not sent, and gives the reason', async () => {
  const { shop } = await payingShop(parley)
  await shop.advance(23.5 * 3_600)
  await parley.system((tx) =>
    armFault(tx.sql, {
      workspaceId: shop.workspaceId,
      target: 'gateway',
      kind: 'no-answer',
      times: 10,
      now: new Date(),
    }),
  )
  const { id, messageId } = (await shop.post('/payment-requests', order({ to: customer }))).body
    .paymentRequest
  await shop.advance(2 * 3_600)
  expect(await messageOf(shop, messageId)).toMatchObject({ status: 'skipped', skipReason: 'window_closed' })
  expect((await shop.get(`/payment-requests/${id}`)).body.paymentRequest).toMatchObject({
    status: 'failed',
    failure: { source: 'message', code: 'window_closed', message: expect.stringMatching(/.../) },
  })
  expect(await failures(shop)).toEqual([])
})

test('a payment request to a customer who opted out meanwhile fails, and its message is skipped', async () => {
  const { shop } = await payingShop(parley)
  await parley.system((tx) =>
    armFault(tx.sql, {
      workspaceId: shop.workspaceId,
      target: 'gateway',
      kind: 'no-answer',
      times: 2,
      now: new Date(),
    }),
  )
  const { id, messageId } = (await shop.post('/payment-requests', order({ to: customer }))).body
    .paymentRequest
  await shop.patch(`/contacts/${customer}`, { optInStatus: 'opted_out' })
  await shop.advance(600)
  expect(await messageOf(shop, messageId)).toMatchObject({ status: 'skipped', skipReason: 'opted_out' })
  expect((await shop.get(`/payment-requests/${id}`)).body.paymentRequest).toMatchObject({
    status: 'failed',
    failure: { source: 'message', code: 'opted_out' },
  })
  expect(await failures(shop)).toEqual([])
})

test('a skipped message does not count against the month’s allowance', async () => {
  const idle = await boot({ clock, env: { PARLEY_ROLES: 'web' } })
  const shop = await idle.workspace({ sandbox: true })
  const readUsage = async () =>
    (
      await idle.system((tx) =>
        tx.sql<{ messages: number }>('select messages from workspace_usage where workspace_id = $1', [
          shop.workspaceId,
        ]),
      )
    )[0]!.messages
  await shop.inbound(customer, 'Hello')
  const before = await readUsage()
  await text(shop)
  expect(await readUsage()).toBe(before + 1)
  await shop.patch(`/contacts/${customer}`, { optInStatus: 'opted_out' })
  await shop.advance(10)
  expect(await readUsage()).toBe(before)
  await idle.close()
})
