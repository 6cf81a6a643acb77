/** kill -9 while times are booked and paid: each time is booked once, each payment confirms one booking. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { madeService, newCustomer, startIn } from '../support/bookings.ts'
import { clientOf, SECRET_KEY } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { type Admin, newShop } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type StandInGateway, startGateway } from '../support/stand-in-gateway.ts'
import { until } from '../support/until.ts'

const AT_ONCE = 6
const ADVANCE_PAISE = 5_000

let gateway: StandInGateway
beforeAll(async () => {
  // The gateway would create every requested link, and reports half of its events twice.
  gateway = await startGateway({ settings: { uniqueReferences: false, duplicate: 0.5, shuffle: true } })
})
afterAll(() => gateway?.stop())
const installation = killableInstallation(() => ({ PARLEY_RAZORPAY_URL: gateway.apiUrl }))

/** A shop with a gateway outside of the service. */
async function openShop(admin: Admin): Promise<{ workspaceId: string; apiKey: string }> {
  const { seal } = createSealer(SECRET_KEY)
  const shop = await newShop(admin, {}, { modules: ['bookings'] })
  const { keyId, keySecret, webhookSecret } = gateway.account
  await admin.query(
    `insert into payment_gateways (workspace_id, provider, key_id, key_secret_sealed, webhook_secret_sealed, connected_at)
     values ($1, 'razorpay', $2, $3, $4, $5)`,
    [shop.workspaceId, keyId, seal(keySecret), seal(webhookSecret), new Date()],
  )
  return shop
}

test(
  'kill -9 during bookings and payments: every time is booked once, and its payment confirms it once',
  async () => {
    const random = randomFrom(seedOf('killed bookings'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await openShop(admin)
    const client = clientOf(server.url, apiKey)
    const service = { priceMinor: 60_000, advance: { amountMinor: ADVANCE_PAISE } }
    const { id: serviceId } = await madeService(client, service)
    const listen = () => gateway.set({ callbackUrl: `${server.url}/api/gateway/${workspaceId}` })
    listen()
    const recoveriesMs: number[] = []
    /** Kills the process while `work` is under way, and starts another process. */
    const killDuring = async (work: Promise<unknown>): Promise<void> => {
      await wait(random() * 150)
      await server.kill()
      await work
      // Moves the leases as if their time had passed, so that those of the dead process have expired.
      await admin.query('update jobs set leased_until = null')
      await server.restart()
      listen()
    }
    const links = () => gateway.store.list(gateway.account, 'payment_link')
    const payAll = async (): Promise<void> => {
      for (const link of await links()) if (link.status === 'created') await gateway.pay({ link: link.id })
    }
    const booked = new Map<string, string>()
    const countBookings = async (status: string): Promise<number> =>
      (
        await admin.query<{ count: number }>(
          `select count(*)::int as count from bookings where workspace_id = $1 and status = $2 and (payment_url is null) = ($2 <> 'held')`,
          [workspaceId, status],
        )
      )[0]!.count
    let times = 0
    for (const _ of roundsOf(1)) {
      const own = Array.from({ length: AT_ONCE }, () => startIn(1, times++))
      /** Requests a time under one key until there is an answer. */
      const book = async (startAt: string): Promise<void> => {
        const body = { serviceId, startAt, phone: '+919812345678', name: 'Asha Rao' }
        const answer = await client
          .post('/bookings', body, { idempotencyKey: `key ${startAt}` })
          .catch(() => undefined)
        if (answer?.status === 201) booked.set(startAt, answer.body.booking.id)
        else if (answer && ![409, 429, 503].includes(answer.status)) throw new Error(answer.text)
      }
      await killDuring(Promise.all(own.map(book)))
      const killedAt = performance.now()
      await until(
        async () => {
          await Promise.all(own.filter((startAt) => !booked.has(startAt)).map(book))
          return own.every((startAt) => booked.has(startAt))
        },
        'all times are booked',
        60_000,
      )
      const others = own.map((startAt) => client.post('/bookings', { serviceId, startAt, ...newCustomer() }))
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(own.map(() => 409))
      await until(
        async () => (await countBookings('held')) === AT_ONCE,
        'all bookings can be paid for',
        60_000,
      )
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      await killDuring(payAll())
      const paidAt = performance.now()
      await payAll()
      await admin.query(`update jobs set run_at = $1 where name = 'checkOpenLink'`, [new Date()])
      await until(
        async () => (await countBookings('confirmed')) === times,
        'all bookings are confirmed',
        60_000,
      )
      recoveriesMs.push(Math.round(performance.now() - paidAt))
    }
    const references = (await links()).map((link) => link.reference_id)
    expect([references.length, new Set(references).size], 'a link each').toEqual([times, times])
    const [stored] = await admin.query<Record<string, number>>(
      `select (select count(*)::int from bookings where workspace_id = $1) as bookings,
              (select count(*)::int from booking_sessions where workspace_id = $1 and released_at is null) as places,
              (select count(*)::int from received_money where workspace_id = $1) as money`,
      [workspaceId],
    )
    expect(stored).toEqual({ bookings: times, places: times, money: times })
    const names = (await eventsOf(admin, workspaceId)).map(({ name }) => name)
    expect(names.filter((name) => name === 'booking.created')).toHaveLength(times)
    recordFigures({
      rows: '1, 2, 9',
      fault: 'kill -9 amid bookings and their payments',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      accepted: times,
      lost: times - stored!.bookings!,
      doubled: stored!.money! - times,
      recoveriesMs,
    })
  },
  timeFor(180_000),
)
