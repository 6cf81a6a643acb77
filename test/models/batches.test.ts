/**
 * Requests that share a transaction against the same requests one at a time (docs/decisions/request-batches.md): each
 * customer's requests come one after the other, those of different customers and workspaces together. Every answer, every row and
 * every event must be what it is where nothing shares anything.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answered, type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { seedOf } from '../support/seed.ts'
import { standingClock } from '../support/standing-clock.ts'
import { storeTemplate } from '../support/templates.ts'

const CUSTOMERS = 16
/** Of the first these many the window is open; the next have opted out, the next are blocked, the rest are unknown. */
const [OPEN, OPTED_OUT, BLOCKED] = [8, 2, 2]
/** Workspaces whose requests come together. */
const TOGETHER = 3
const MAX_REQUESTS = 10

const phoneOf = (customer: number): string => `+9198123450${10 + customer}`

let parley: TestParley
beforeAll(async () => {
  parley = await boot({ clock: standingClock() })
})
afterAll(() => parley.close())

/** A request about one customer; `again`: under the key of that customer's request before. */
type Given = { path: string; body: Record<string, unknown>; again: boolean }

const text = fc.constantFrom('Your order is on its way.', 'दो दिन और', ' ', 'x'.repeat(4_097))
const template = (values: fc.Arbitrary<string[]>) =>
  values.map((given) => ({
    type: 'template',
    payload: {
      template: {
        name: 'order_ok',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: given.map((value) => ({ type: 'text', text: value })) }],
      },
    },
  }))
const message = fc.oneof(
  { weight: 4, arbitrary: text.map((one) => ({ type: 'text', text: one })) },
  { weight: 2, arbitrary: template(fc.array(fc.constantFrom('Asha', '7'), { maxLength: 2 })) },
  {
    weight: 1,
    arbitrary: fc.constant({ type: 'image', payload: { type: 'image', image: { id: randomUUID() } } }),
  },
)
const contact = fc.record(
  {
    displayName: fc.constantFrom('Asha Rao', ' ', null),
    tags: fc.array(fc.constantFrom('vip', 'pune'), { maxLength: 2 }),
    optInStatus: fc.constantFrom('unknown', 'opted_in', 'opted_out', 'never'),
    attributes: fc.dictionary(fc.constantFrom('city', 'size'), fc.constantFrom('Pune', 7, null), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: [] },
)
const lead = fc.record(
  {
    name: fc.constantFrom('Asha Rao', 'Ravi', ''),
    source: fc.constantFrom('website', 'fair'),
    tags: fc.array(fc.constantFrom('vip', 'pune'), { maxLength: 2 }),
    note: fc.constantFrom('Asked about delivery.', '<b>'),
    dealValue: fc.constantFrom(0, 4_500, -1),
  },
  { requiredKeys: [] },
)
const given: fc.Arbitrary<Given> = fc
  .record({
    request: fc.oneof(
      message.map((body) => ({ path: '/send', body: body as Record<string, unknown> })),
      contact.map((body) => ({ path: '/contacts', body: body as Record<string, unknown> })),
      lead.map((body) => ({ path: '/leads', body: body as Record<string, unknown> })),
    ),
    again: fc.nat({ max: 5 }).map((one) => one === 0),
  })
  .map(({ request, again }) => ({ ...request, again }))
const all = fc.array(fc.array(given, { maxLength: MAX_REQUESTS, size: 'max' }), {
  minLength: CUSTOMERS,
  maxLength: CUSTOMERS,
})

/** What differs from run to run whatever is done: ids, what is derived from them, and times. */
const withoutIds = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/\\\\x[0-9a-f]{16,}/g, 'BYTES')
    .replace(/\d{15,16}|\+1 ?555[- ]?\d{3}[- ]?\d{4}/g, 'NUMBER')
    .replace(/sealed:[A-Za-z0-9+/=]+/g, 'SEALED')
    .replace(/wamid\.[A-Za-z0-9_=+/-]+/g, 'WAMID')
    .replace(/"(written_in|prefix)":"\w+"/g, '')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)/g, 'TIME')

async function makeShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true, name: 'Shop' })
  await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'Hi {{1}}' }] })
  for (let customer = 0; customer < OPEN + OPTED_OUT + BLOCKED; customer++) {
    await shop.post('/sandbox/inbound', { from: phoneOf(customer), text: 'Hello' })
  }
  await shop.advance(1)
  for (let customer = OPEN; customer < OPEN + OPTED_OUT; customer++)
    await shop.patch(`/contacts/${phoneOf(customer)}`, { optInStatus: 'opted_out' })
  for (let customer = OPEN + OPTED_OUT; customer < OPEN + OPTED_OUT + BLOCKED; customer++)
    await shop.post(`/contacts/${phoneOf(customer)}/block`, {})
  return shop
}

/** Does a customer's requests in one workspace, one call at a time; each step answers what was answered, without ids. */
function walkOf(shop: TestWorkspace, customer: number, requests: Given[]) {
  const answers: string[] = []
  let [key, at] = [randomUUID(), 0]
  const next = async (): Promise<boolean> => {
    const request = requests[at++]
    if (!request) return false
    if (!request.again) key = randomUUID()
    const phone = phoneOf(customer)
    const body = { ...(request.path === '/send' ? { to: phone } : { phone }), ...request.body }
    const answer: Answered = await shop.post(request.path, body, { idempotencyKey: key })
    answers.push(withoutIds([answer.status, answer.body]))
    return true
  }
  return { answers, next }
}

/** What is added up or indexed in the background, some time later. */
const BACKGROUND = 'words|walks|changes|counts|deltas|days'

/** All rows of a workspace, without ids, in an order of their own. */
const rowsOf = (shop: TestWorkspace): Promise<Record<string, string[]>> =>
  parley.system(async (tx) => {
    const tables = await tx.sql<{ name: string }>(
      `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and c.relname !~ ('_(' || $1 || ')$') order by 1`,
      [BACKGROUND],
    )
    const rows: Record<string, string[]> = {}
    for (const { name } of tables) {
      const found = await tx.sql<{ row: Body }>(
        `select to_jsonb(t) as row from "${name}" t where workspace_id = $1`,
        [shop.workspaceId],
      )
      rows[name] = found.map(({ row }) => withoutIds(row)).sort()
    }
    return rows
  })

/** The events of each customer in their order. */
const eventsOf = (shop: TestWorkspace): Promise<string[]> =>
  parley.system(async (tx) => {
    const customers = await tx.sql<{ phone: string; names: string }>(
      `select phone, string_agg(name, ' ' order by events.id) as names from contacts
       join events on events.workspace_id = $1 and contact_id = contacts.id
       where contacts.workspace_id = $1 group by 1 order by 1`,
      [shop.workspaceId],
    )
    return customers.map(({ phone, names }) => `${phone}: ${names}`)
  })

test(
  'requests that share a batch are answered, stored and reported as they are one at a time',
  async () => {
    const seed = seedOf('batches')
    let [rounds, requests] = [0, 0]
    const property = fc.asyncProperty(all, fc.constantFrom(2, 8, 64), async (lists, connections) => {
      const [alone, ...together] = await Promise.all(Array.from({ length: 1 + TOGETHER }, makeShop))
      const walks = lists.map((list, customer) => walkOf(alone!, customer, list))
      for (let more = true; more; ) {
        more = false
        for (const walk of walks) more = (await walk.next()) || more
      }
      const others = together.map((shop) => lists.map((list, customer) => walkOf(shop, customer, list)))
      const waiting = lists.flatMap((_, customer) => others.map((own) => own[customer]!))
      const work = async () => {
        for (let walk = waiting.shift(); walk; walk = waiting.shift()) while (await walk.next());
      }
      await Promise.all(Array.from({ length: connections }, work))
      const expected = { rows: {} as Record<string, string[]>, events: [] as string[] }
      for (const [at, shop] of [alone!, ...together].entries()) {
        await shop.advance(60)
        const is = { rows: await rowsOf(shop), events: await eventsOf(shop) }
        if (at === 0) Object.assign(expected, is)
        else {
          expect(others[at - 1]!.map(({ answers }) => answers)).toEqual(walks.map(({ answers }) => answers))
          expect(is).toEqual(expected)
        }
      }
      rounds++
      requests += lists.flat().length * TOGETHER
    })
    for (const round of roundsOf(1))
      await fc.assert(property, { seed: seed + round, numRuns: 2, endOnFailure: true })
    recordFigures({ rows: 'models', what: 'batches', rounds, note: `${requests} requests that met` })
  },
  timeFor(240_000),
)
