/** Parley checks payments itself when no report arrives (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../../test/support/boot.ts'
import {
  gatewayApplied,
  gatewayPost,
  paymentEvent,
  quietOperator,
  type RealShop,
  realShop,
  requestWhen,
} from '../../../../test/support/payments.ts'
import { type StandInGateway, startGateway } from '../../../../test/support/stand-in-gateway.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, systemClock } from '../../../core/clock.ts'
import type { StandaloneSimulator } from '../../../operator/simulator/standalone/start.ts'
import { findOrder, payOrder } from '../../../operator/simulator/stored-orders.ts'
import { nextCheckAfterFault, nextCheckAt } from './operations/check-times.ts'

let parley: TestParley
let operator: StandaloneSimulator
/** A gateway without reports: all known payments were found by checks. */
let gateway: StandInGateway
let aheadMs = 0
const clock = { ...systemClock, now: () => later(systemClock.now(), aheadMs) }
beforeAll(async () => {
  operator = await quietOperator()
  gateway = await startGateway({ clock })
  parley = await boot({
    clock,
    env: { PARLEY_OPERATOR_URL: operator.url, PARLEY_RAZORPAY_URL: gateway.apiUrl },
  })
})
afterAll(async () => {
  await parley.close()
  await gateway.stop()
  await operator.close()
})
beforeEach(() => {
  gateway.store.faults.length = 0
})

const paid = ({ shop }: RealShop, id: string) =>
  requestWhen(shop, id, ({ status }) => status === 'paid', 'it is paid')
const checksOf = ({ shop }: RealShop) =>
  parley.system((tx) =>
    tx.sql<{ runAt: Date }>(`select run_at from jobs where workspace_id = $1 and name = 'checkPayment'`, [
      shop.workspaceId,
    ]),
  )

describe('a payment without a report', () => {
  test('is found two minutes after the request', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked()
    await gateway.pay({ reference: id, method: 'card' })
    expect((await setup.find(id)).status).not.toBe('paid')
    aheadMs += 2 * MINUTE_MS
    expect(await paid(setup, id)).toMatchObject({ paidPaise: 48_000, paymentMethod: 'card' })
    expect(await setup.paidEvents()).toHaveLength(1)
    await until(async () => (await checksOf(setup)).length === 0, 'no check is planned')
  })

  test('is found before the request expires', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked({ expiresInMinutes: 45 })
    for (const minutes of [3, 12]) {
      aheadMs += minutes * MINUTE_MS
      await until(async () => (await checksOf(setup))[0]!.runAt > clock.now(), 'the request was checked')
    }
    await gateway.pay({ reference: id })
    aheadMs += 29 * MINUTE_MS
    await paid(setup, id)
  })

  test('under way when the request expires is found when its link is canceled', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked({ expiresInMinutes: 5 })
    aheadMs += 4 * MINUTE_MS
    await until(async () => (await checksOf(setup))[0]!.runAt > clock.now(), 'the request was checked')
    await gateway.pay({ reference: id })
    aheadMs += MINUTE_MS
    await paid(setup, id)
  })

  test('is found later if the gateway does not answer now', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked()
    await gateway.pay({ reference: id })
    gateway.store.faults.push({ call: 'GET payment_links/:id', kind: 'no-answer', times: 1 })
    aheadMs += 2 * MINUTE_MS
    await until(async () => {
      const isAsked = gateway.store.faults[0]!.times === 0
      return isAsked && (await checksOf(setup)).some(({ runAt }) => runAt > clock.now())
    }, 'the check failed, and another is planned')
    aheadMs += 8 * MINUTE_MS
    await paid(setup, id)
  })

  test('is found once our checks succeed again, after any number of failures', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked()
    // The database refuses payments of this request, as it might without disk space.
    for (const statement of [
      `create or replace function refuse_payment() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`,
      `create or replace trigger refuse_payment before update on payment_requests for each row
       when (new.id = '${id}' and new.status = 'paid') execute function refuse_payment()`,
    ])
      await parley.system((tx) => tx.sql(statement))
    await gateway.pay({ reference: id })
    for (const aheadBy of [2 * MINUTE_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]) {
      aheadMs += aheadBy
      await until(
        async () => (await checksOf(setup)).some(({ runAt }) => runAt > clock.now()),
        'the check failed',
      )
    }
    await parley.system((tx) => tx.sql('drop trigger refuse_payment on payment_requests'))
    aheadMs += 5 * HOUR_MS
    expect(await paid(setup, id)).toMatchObject({ paidPaise: 48_000 })
    expect(await setup.paidEvents()).toHaveLength(1)
  })

  test('is found soon after a start', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked()
    await gateway.pay({ reference: id })
    await parley.restart()
    await paid(setup, id)
  })

  test("with the operator's payment configuration is checked at the operator", async () => {
    const setup = await realShop(parley, operator, { configuration: 'shop-rzp' })
    const { id, referenceId } = await setup.asked()
    const number = operator.store.numbers.at(-1)!
    const order = (await findOrder(operator.store, number, referenceId))!
    await payOrder(operator.store, number, order, { outcome: 'failed', paymentId: 'pay_0' })
    await payOrder(operator.store, number, (await findOrder(operator.store, number, referenceId))!, {
      paymentId: 'pay_1',
      method: 'netbanking',
    })
    aheadMs += 2 * MINUTE_MS
    expect(await paid(setup, id)).toMatchObject({ paymentId: 'pay_1', paymentMethod: 'netbanking' })
  })

  test('that is unknown to the operator too is checked at the gateway', async () => {
    const setup = await realShop(parley, operator, { configuration: 'shop-rzp' })
    const { id, referenceId } = await setup.asked()
    await gateway.payInChat(
      { receipt: referenceId, amount: 48_000, notes: { payment_request_id: id } },
      { method: 'wallet' },
    )
    aheadMs += 2 * MINUTE_MS
    expect(await paid(setup, id)).toMatchObject({ paidPaise: 48_000, paymentMethod: 'wallet' })
  })
})

describe('the gateway’s report and our own check', () => {
  test('in any order and in parallel count once', async () => {
    const setup = await realShop(parley, operator)
    await setup.shop.post('/leads', { phone: setup.phone })
    const requests = [await setup.asked(), await setup.asked(), await setup.asked()]
    for (const { id } of requests) await gateway.pay({ reference: id })
    const paymentOf = async (id: string) => {
      const links = await gateway.store.list(gateway.account, 'payment_link')
      const link = links.find((link) => link.reference_id === id)!
      return (link.payments as { payment_id: string }[])[0]!.payment_id
    }
    const report = async ({ id }: { id: string }) =>
      gatewayPost(
        parley,
        setup.shop,
        paymentEvent('payment_link.paid', { requestId: id }, { id: await paymentOf(id) }),
      )
    await report(requests[0]!)
    aheadMs += 2 * MINUTE_MS
    await Promise.all(requests.slice(0, 2).map(report))
    await Promise.all(requests.map(({ id }) => paid(setup, id)))
    await Promise.all(requests.map(report))
    await gatewayApplied(parley, setup.shop)
    expect(await setup.paidEvents()).toHaveLength(3)
    expect((await setup.shop.get(`/leads/${setup.phone}`)).body.lead.paidTotal).toBe(1_440)
  })

  test('a disconnected gateway is not checked, and reports of others still count', async () => {
    const setup = await realShop(parley, operator)
    const { id } = await setup.asked()
    await parley.system((tx) =>
      tx.sql('delete from payment_gateways where workspace_id = $1', [setup.shop.workspaceId]),
    )
    const before = gateway.store.calls.get('GET payment_links/:id') ?? 0
    aheadMs += 2 * MINUTE_MS
    await until(async () => (await checksOf(setup))[0]!.runAt > clock.now(), 'the request was checked')
    expect(gateway.store.calls.get('GET payment_links/:id') ?? 0).toBe(before)
    expect((await setup.find(id)).status).not.toBe('paid')
  })
})

describe('the times of our checks', () => {
  const createdAt = new Date('2026-06-01T09:00:00Z')
  const minutesOfChecks = (expiresAt: Date | null): number[] => {
    const times: number[] = []
    for (let checkAt = nextCheckAt({ createdAt, expiresAt }, createdAt); checkAt; ) {
      times.push((checkAt.getTime() - createdAt.getTime()) / MINUTE_MS)
      checkAt = nextCheckAt({ createdAt, expiresAt }, checkAt)
    }
    return times
  }

  test('of a request that expires in an hour: soon, just before, and twice after', () => {
    expect(minutesOfChecks(later(createdAt, HOUR_MS))).toEqual([2, 10, 59, 65, 120])
  })

  test('of a request that expires in five minutes', () => {
    expect(minutesOfChecks(later(createdAt, 5 * MINUTE_MS))).toEqual([2, 4, 10, 65])
  })

  test('after a failed check: the next time, otherwise a day later, for half a year', () => {
    const expiresAt = later(createdAt, HOUR_MS)
    const next = (ageMs: number) => nextCheckAfterFault({ createdAt, expiresAt }, later(createdAt, ageMs))
    expect(next(HOUR_MS)).toEqual(later(expiresAt, 5 * MINUTE_MS))
    expect(next(3 * HOUR_MS)).toEqual(later(createdAt, 27 * HOUR_MS))
    expect(next(179 * DAY_MS)).toBeUndefined()
  })

  test('of a request without expiry: less and less often, then once a day, for half a year', () => {
    const times = minutesOfChecks(null)
    expect(times.slice(0, 6)).toEqual([2, 10, 60, 360, 1_440, 2_880])
    expect(times.at(-1)).toBe((179 * DAY_MS) / MINUTE_MS)
  })
})
