/** kill -9 at every step of a payment: one link, one message, counted once. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { type Body, SECRET_KEY } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { type Admin, type LoadShop, openShops, REACHED } from '../support/load.ts'
import { order } from '../support/payments.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type StandInGateway, startGateway } from '../support/stand-in-gateway.ts'
import { until } from '../support/until.ts'

const REQUESTS_OF_ROUND = 6
const PAISE = 48_000

/** The step at which the process dies. */
const STEPS = [
  'the gateway is asked for a link',
  'the gateway has made a link and not answered',
  'requests are under way',
  'customers pay, and their payments are reported',
  'the gateway is asked whether they paid',
] as const
type Step = (typeof STEPS)[number]

let gateway: StandInGateway
beforeAll(async () => {
  // The gateway would create every requested link, so only the service prevents a second link.
  gateway = await startGateway({ settings: { uniqueReferences: false, duplicate: 0.5, shuffle: true } })
})
afterAll(() => gateway?.stop())
const installation = killableInstallation(() => ({ PARLEY_RAZORPAY_URL: gateway.apiUrl }))

/** Simulated customers, and a gateway outside of the service. */
async function openShop(admin: Admin, url: string): Promise<LoadShop> {
  const [shop] = await openShops(admin, url, 1)
  const { keyId, keySecret, webhookSecret } = gateway.account
  const { seal } = createSealer(SECRET_KEY)
  await admin.query(
    `insert into payment_gateways (workspace_id, provider, key_id, key_secret_sealed, webhook_secret_sealed, connected_at)
     values ($1, 'razorpay', $2, $3, $4, $5)`,
    [shop!.workspaceId, keyId, seal(keySecret), seal(webhookSecret), new Date()],
  )
  expect((await shop!.post('/leads', { phone: REACHED })).status).toBe(201)
  gateway.set({ callbackUrl: `${url}/api/gateway/${shop!.workspaceId}` })
  return shop!
}

/**
 * Moves the leases as if their time had passed before the next process starts, so that those of the dead
 * process have expired.
 */
async function expireLeases(admin: Admin): Promise<void> {
  await admin.query('update jobs set leased_until = null')
  await admin.query('update messages set leased_until = null where run_at is not null')
}

/** Makes the checks that are planned for later due now. */
const makeChecksDue = (admin: Admin) =>
  admin.query(`update jobs set run_at = $1 where name = 'checkPayment'`, [new Date()])

test(
  'kill -9 during payments: no customer gets a second link, every payment counts once',
  async () => {
    const random = randomFrom(seedOf('killed payments'))
    const server = await installation.start()
    const { admin } = server
    const shop = await openShop(admin, server.url)
    let armed: Step | undefined
    let death = Promise.withResolvers<void>()
    /** Kills the process at this step, once, if this step is selected. */
    const reach = async (step: Step): Promise<void> => {
      if (armed !== step) return
      armed = undefined
      await server.kill()
      death.resolve()
    }
    const { takeFault, keep } = gateway.store
    gateway.store.takeFault = async (account, call) => {
      if (call === 'POST payment_links') await reach('the gateway is asked for a link')
      if (call === 'GET payment_links/:id') await reach('the gateway is asked whether they paid')
      return takeFault(account, call)
    }
    gateway.store.keep = async (account, kind, entity) => {
      await keep(account, kind, entity)
      if (kind === 'payment_link' && entity.status === 'created')
        await reach('the gateway has made a link and not answered')
    }
    const links = () => gateway.store.list(gateway.account, 'payment_link')
    const requested = new Set<string>()
    const acknowledged = new Set<string>()
    const requestPayment = async (referenceId: string): Promise<void> => {
      try {
        const answer = await shop.post('/payment-requests', order({ to: REACHED, referenceId }))
        if (answer.status === 200 || answer.status === 201) acknowledged.add(referenceId)
      } catch {
        // No process was there, so the request is repeated.
      }
    }
    const payAll = async (): Promise<void> => {
      for (const link of await links()) if (link.status === 'created') await gateway.pay({ link: link.id })
    }
    const statuses = async (referenceIds: string[]): Promise<string[]> =>
      (
        await admin.query<{ status: string }>(
          'select status from payment_requests where reference_id = any($1::text[])',
          [referenceIds],
        )
      ).map(({ status }) => status)
    const recoveriesMs: number[] = []
    let kills = 0
    const run = `R${Math.floor(random() * 1e9)}`
    const first = Math.floor(random() * STEPS.length)
    for (const round of roundsOf(5)) {
      const step = STEPS[(first + round) % STEPS.length]!
      const own = Array.from({ length: REQUESTS_OF_ROUND }, (_, i) => `${run}-${round}-${i}`)
      for (const referenceId of own) requested.add(referenceId)
      armed = step
      death = Promise.withResolvers<void>()
      const requesting = Promise.all(own.map(requestPayment))
      if (step === 'requests are under way') {
        await wait(random() * 120)
        await reach(step)
      }
      await requesting
      if (step === 'customers pay, and their payments are reported') {
        await until(async () => (await statuses(own)).length > 0, 'some customers are asked')
        await until(async () => (await links()).length > 0, 'some payment links exist')
        const paying = payAll()
        await wait(random() * 60)
        await reach(step)
        await paying
      }
      if (step === 'the gateway is asked whether they paid') {
        await until(
          async () => (await statuses(own)).every((status) => status === 'sent'),
          'all requests are sent',
          30_000,
        )
        gateway.set({ hold: true })
        await payAll()
        await makeChecksDue(admin)
      }
      await until(() => armed === undefined, `the process died when ${step}`)
      await death.promise
      kills++
      const killedAt = performance.now()
      await expireLeases(admin)
      await server.restart()
      gateway.set({ hold: false })
      for (const referenceId of own) if (!acknowledged.has(referenceId)) await requestPayment(referenceId)
      await until(
        async () => {
          const now = await statuses(own)
          return now.length === own.length && now.every((status) => status === 'sent' || status === 'paid')
        },
        'all customers are asked',
        30_000,
      )
      await payAll()
      await until(
        async () => (await statuses(own)).every((status) => status === 'paid'),
        'all customers have paid',
        30_000,
      )
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      console.log(`round ${round}: died when ${step}`)
    }
    const createdLinks = await links()
    const references = createdLinks.map((link) => link.reference_id)
    expect(new Set(references).size, 'a link each').toBe(requested.size)
    const doubled = references.length - new Set(references).size
    expect(doubled, 'second links').toBe(0)
    expect(createdLinks.every(({ status }) => status === 'paid')).toBe(true)
    const sent = await admin.query<{ count: number }>(
      `select count(*)::int as count from messages where direction = 'outbound' and type = 'interactive'`,
    )
    expect(sent[0]!.count, 'one message each').toBe(requested.size)
    const events = (await eventsOf(admin, shop.workspaceId)).filter((event) => event.name === 'payment.paid')
    const paid = new Set(events.map((event) => (event.data as Body).referenceId))
    expect([events.length, paid.size]).toEqual([requested.size, requested.size])
    const { lead } = (await shop.get(`/leads/${REACHED}`)).body
    expect(lead.paidTotal).toBe((requested.size * PAISE) / 100)
    recordFigures({
      rows: '1, 2, 9',
      fault: 'kill -9 amid payments',
      rounds: kills,
      kills,
      accepted: requested.size,
      lost: requested.size - paid.size,
      doubled,
      eventsMissing: requested.size - events.length,
      recoveriesMs,
    })
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  timeFor(180_000),
)
