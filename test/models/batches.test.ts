/**
 * Compares requests that share a transaction with the same requests one at a time
 * (docs/decisions/requests.md). Each customer's requests run in order, copies concurrently, and customers and
 * workspaces concurrently. Every answer, row, and event must be the same.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import { type Answered, boot, type Client, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { seedOf } from '../support/seed.ts'
import { standingClock } from '../support/standing-clock.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'
import { whenAllowed } from '../support/when-allowed.ts'
import { eventsOf, rowsOf, withoutIds } from './batches-records.ts'
import { type CallerName, type Given, requestsOf, template } from './batches-requests.ts'

const CUSTOMERS = 16
/** Customers in order: these many have an open window, then opted out, then blocked; the rest are unknown. */
const [OPEN, OPTED_OUT, BLOCKED] = [8, 2, 2]
const KNOWN = OPEN + OPTED_OUT + BLOCKED
const MAX_REQUESTS = 8
/** The numbers of customers with concurrent requests, each number in its own workspaces. */
const CONCURRENCIES = [3, 64]

const phoneOf = (customer: number): string => `+9198123450${10 + customer}`

let parley: TestParley
beforeAll(async () => {
  parley = await boot({ clock: standingClock() })
})
afterAll(() => parley.close())

type Shop = TestWorkspace & { callers: Record<CallerName, Client> }

/** Creates a workspace; `full`: without room for another contact or message. */
async function makeShop(full: boolean): Promise<Shop> {
  const shop = await parley.workspace({ sandbox: true, name: 'Shop' })
  await parley.system((tx) =>
    addMember(
      tx,
      {
        workspaceId: shop.workspaceId,
        email: `${shop.workspaceId}@example.com`,
        name: 'Ravi Iyer',
        role: 'agent',
      },
      new Date(),
    ),
  )
  const [agent, unscoped, viewer, revoked] = await Promise.all([
    shop.as('agent'),
    shop.as('admin', { scopes: ['webhooks:read'] }),
    shop.as('viewer'),
    shop.as('admin'),
  ])
  await parley.system((tx) => revokeApiKey(tx, revoked.keyId, new Date()))
  await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'Hi {{1}}' }] })
  for (let customer = 0; customer < KNOWN; customer++)
    await shop.post('/sandbox/inbound', { from: phoneOf(customer), text: 'Hello' })
  await shop.advance(1)
  for (let customer = OPEN; customer < OPEN + OPTED_OUT; customer++)
    await shop.patch(`/contacts/${phoneOf(customer)}`, { optInStatus: 'opted_out' })
  for (let customer = OPEN + OPTED_OUT; customer < KNOWN; customer++)
    await shop.post(`/contacts/${phoneOf(customer)}/block`, {})
  if (full) await shop.set({ contactLimit: KNOWN, messageAllowance: 0 })
  return { ...shop, callers: { admin: shop, agent, unscoped, viewer, revoked } }
}

/** Creates the workspaces of one play: one with room for everything, and a full one. */
const makeShops = (): Promise<Shop[]> => Promise.all([makeShop(false), makeShop(true)])

/** Repeats the request while its bucket is empty or the first of several retries is still running. */
async function sendRequest(
  client: Client,
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<Answered> {
  for (;;) {
    const answer = await whenAllowed(() => client.post(path, body, { idempotencyKey }))
    if (answer.body.error !== 'idempotency_key_in_progress') return answer
    await wait(5)
  }
}

const comparable = ({ status, body, headers }: Answered): string =>
  withoutIds([status, headers['idempotent-replayed'] ?? 'first', body])

const isAccepted = (shown: string): boolean => shown.startsWith('[20')

/**
 * Waits until the worker has handled a customer's messages, so that this happens before the customer's next
 * request at any concurrency.
 */
const waitUntilSubmitted = ({ workspaceId }: Shop, phone: string): Promise<boolean> =>
  until(
    async () =>
      (
        await parley.system((tx) =>
          tx.sql(
            `select 1 from messages m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
             where m.workspace_id = $1 and c.phone = $2 and m.status = 'queued' and m.chanmid is null limit 1`,
            [workspaceId, phone],
          ),
        )
      ).length === 0,
    'the messages are submitted',
  )

/** Sends a customer's requests in one workspace; `together`: sends the copies concurrently. */
function walkOf(shop: Shop, customer: number, requests: Given[], together: boolean) {
  const answers: string[][] = []
  let [key, position] = [randomUUID(), 0]
  const sendNext = async (): Promise<boolean> => {
    const request = requests[position++]
    if (!request) return false
    if (!request.repeatsKey) key = randomUUID()
    const { path, caller, copies, retries } = request
    const keys = Array.from({ length: copies }, (_, copy) => (copy === 0 || retries ? key : randomUUID()))
    const phone = phoneOf(customer)
    const body = { ...(path === '/send' ? { to: phone } : { phone }), ...request.body }
    const send = (sendingKey: string) => sendRequest(shop.callers[caller], path, body, sendingKey)
    const answered: Answered[] = []
    if (together) answered.push(...(await Promise.all(keys.map(send))))
    else for (const sendingKey of keys) answered.push(await send(sendingKey))
    answers.push(answered.map(comparable).sort())
    if (path === '/send') await waitUntilSubmitted(shop, phone)
    return true
  }
  return { answers, next: sendNext }
}
type Walk = ReturnType<typeof walkOf>

/** Sends one request at a time, of all customers in turn. */
async function playAlone(walks: Walk[]): Promise<void> {
  for (let more = true; more; ) {
    more = false
    for (const walk of walks) more = (await walk.next()) || more
  }
}

async function playTogether(walks: Walk[], concurrency: number): Promise<void> {
  const waiting = [...walks]
  const work = async () => {
    for (let walk = waiting.shift(); walk; walk = waiting.shift()) while (await walk.next());
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

async function recordsOf(shop: Shop) {
  await shop.advance(60)
  return { rows: await rowsOf(parley, shop), events: await eventsOf(parley, shop) }
}

test(
  'requests that share a batch have the same answers, rows, and events as one at a time',
  async () => {
    const seed = seedOf('batches')
    let [rounds, requests, accepted] = [0, 0, 0]
    const property = fc.asyncProperty(requestsOf(2 * CUSTOMERS, MAX_REQUESTS), async (lists) => {
      const play = async (concurrency: number) => {
        const shops = await makeShops()
        const walks = lists.map((list, i) =>
          walkOf(shops[Math.floor(i / CUSTOMERS)]!, i % CUSTOMERS, list, concurrency > 1),
        )
        await (concurrency > 1 ? playTogether(walks, concurrency) : playAlone(walks))
        const answers = walks.map((walk) => walk.answers)
        return { answers, records: await Promise.all(shops.map(recordsOf)) }
      }
      const alone = await play(1)
      for (const concurrency of CONCURRENCIES) expect(await play(concurrency)).toEqual(alone)
      rounds++
      const answers = alone.answers.flat(2)
      requests += answers.length * CONCURRENCIES.length
      accepted += answers.filter(isAccepted).length * CONCURRENCIES.length
    })
    for (const round of roundsOf(1))
      await fc.assert(property, { seed: seed + round, numRuns: 2, endOnFailure: true })
    const note = `${requests} requests that met, of which ${accepted} were accepted`
    recordFigures({ rows: 'models', fault: 'batches', rounds, note })
  },
  timeFor(240_000),
)

/** Removes phone numbers too: any of several equal requests may get the last place. */
const withoutNumbers = (text: string): string => text.replace(/\+?91\s?\d{5}\s?\d{5}/g, 'PHONE')

test('at any concurrency, exactly the remaining places of a plan are used', async () => {
  const [requestCount, places] = [24, 5]
  const play = async (concurrency: number) => {
    const shop = await makeShop(false)
    const body = (path: string, phone: string) =>
      path === '/send' ? { to: phone, ...template('order_ok', ['Asha']) } : { phone }
    const answers: string[][] = []
    for (const [round, path] of (['/contacts', '/leads', '/send'] as const).entries()) {
      const contacts = KNOWN + places * (round + 1)
      await shop.set({ contactLimit: path === '/send' ? 1_000 : contacts, messageAllowance: places })
      const phones = Array.from({ length: requestCount }, (_, n) => `+91987654${round}${100 + n}`)
      const answered: string[] = []
      const waiting = [...phones]
      const work = async () => {
        for (let phone = waiting.shift(); phone; phone = waiting.shift())
          answered.push(
            withoutNumbers(comparable(await sendRequest(shop, path, body(path, phone), randomUUID()))),
          )
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      answers.push(answered.sort())
    }
    const { rows, events } = await recordsOf(shop)
    const plainRows = Object.entries(rows).map(([name, values]) => [name, values.map(withoutNumbers).sort()])
    return { answers, rows: Object.fromEntries(plainRows), events: events.map(withoutNumbers).sort() }
  }
  const alone = await play(1)
  const accepted = alone.answers.map((answersOfCustomer) => answersOfCustomer.filter(isAccepted).length)
  expect(accepted).toEqual([places, places, places])
  for (const concurrency of CONCURRENCIES) expect(await play(concurrency)).toEqual(alone)
})
