/**
 * The last release and a later version serve one database at the same time (docs/decisions/migrations.md). The
 * later version is this one with one more migration. Every round goes up and down again, under load.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures, roundsOf, thorough, timeFor } from '../support/fault-run.ts'
import {
  type Admin,
  expectLedgerBalances,
  type LoadShop,
  newLoad,
  openAdmin,
  steadyLoad,
} from '../support/load.ts'
import { makeReceivers, type Receiver } from '../support/receiver.ts'
import { loadRelease } from '../support/release-data.ts'
import { checkOutRelease, copyWithMigrations, loadableTree } from '../support/release-tree.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const tree = await checkOutRelease()
const modules = loadableTree(tree)
if ('unavailable' in tree) console.warn(`A rolling upgrade is not tested. ${tree.unavailable}`)

const CONTACT_PACE_MS = 100
const SENDS_BETWEEN_STEPS = 60
const SHOPS = thorough ? 3 : 1
/** Five starts of processes under load, on a busy machine. */
const BUSY_MS = 480_000
const LATER = '9000_later.sql'
/** Changes that the rules for migrations after a release allow. */
const LATER_SQL = `alter table contacts add column shoe_size integer;
alter table messages add column mood text not null default 'calm';
create table shoes (id uuid not null);
select tenant_table('shoes');`

let database: TestDatabase
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let receiver: Receiver
let places: Installation[] = []
let servers: ServerProcess[] = []
let front: Awaited<ReturnType<typeof startRoundRobin>>
let admin: Admin
let shops: LoadShop[]
let later: string

/** Creates contacts, each with its own key, until stopped. Counts answers by status. */
function createContactsSteadily(input: LoadShop[]) {
  let stopping = false
  const created = new Set<string>()
  const statuses = new Map<number, number>()
  const createNext = async (shop: LoadShop, phone: string) => {
    const answer = await shop.post('/contacts', { phone }, { idempotencyKey: randomUUID() })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 201) created.add(answer.body.contact.id)
  }
  const callers = input.map(async (shop, i) => {
    for (let n = 0; !stopping; n++) {
      await createNext(shop, `+91${90 + i}${String(n).padStart(8, '0')}`)
      await wait(CONTACT_PACE_MS)
    }
  })
  for (const caller of callers) caller.catch(() => {})
  return {
    created,
    statuses,
    stop: async () => {
      stopping = true
      await Promise.all(callers)
    },
  }
}

const readStatus = async (place: number): Promise<number> =>
  (await fetch(`${servers[place]!.url}/readyz`)).status

/** Stops the process at a place, and starts the other program there. */
async function replace(place: number, program: string): Promise<void> {
  expect(await servers[place]!.end('SIGTERM')).toEqual({ code: 0, signal: null })
  servers[place] = await places[place]!.start(program)
}

const appliedLater = (): Promise<boolean> =>
  onDatabase(database.url, async (client) => {
    const { rowCount } = await client.query('select from schema_migrations where name = $1', [LATER])
    return rowCount === 1
  })

beforeAll(async () => {
  if ('unavailable' in tree) return
  const release = await loadRelease(modules!)
  database = await createEmptyDatabase()
  receivers = await makeReceivers()
  receiver = await receivers.open()
  later = copyWithMigrations({ [LATER]: LATER_SQL })
  const env = {
    ...receivers.env,
    DATABASE_URL: database.url,
    NODE_COMPILE_CACHE: join(tree.folder, 'compiled'),
  }
  places = await Promise.all([newInstallation(env), newInstallation(env)])
  // One of them migrates the empty database.
  servers = await Promise.all(places.map((place) => place.start(tree.main)))
  front = await startRoundRobin(places.map(({ port }) => port))
  const own = release.openAdmin(database.url)
  shops = await release.openShops(own, front.url, SHOPS)
  await own.close()
  admin = openAdmin(database.url)
  for (const shop of shops) {
    const hook = await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
    expect(hook.status, hook.text).toBe(201)
  }
}, BUSY_MS)
afterAll(async () => {
  await front?.close()
  await admin?.close()
  for (const place of places) await place.remove()
  await receivers?.close()
  await database?.drop()
})

describe.skipIf('unavailable' in tree)('the last release and a later version together', () => {
  test(
    'every request gets 2xx, nothing is lost, nothing doubled; the old version stays ready, and comes back',
    async () => {
      if ('unavailable' in tree) return
      const load = newLoad()
      const running = steadyLoad(shops, load)
      const contacts = createContactsSteadily(shops)
      onTestFinished(async () => {
        await Promise.allSettled([running.stop(), contacts.stop()])
      })
      const goOn = async () => {
        const next = load.acknowledged.size + SENDS_BETWEEN_STEPS
        await until(() => load.acknowledged.size >= next, 'the load is on')
      }
      let rounds = 0
      for (const round of roundsOf(1)) {
        if (round > 1) await replace(1, tree.main)
        await goOn()
        await replace(0, later)
        expect(await appliedLater()).toBe(true)
        await goOn()
        expect(await readStatus(1), 'the old version stays ready').toBe(200)
        await replace(1, later)
        await goOn()
        // Back to the old version, with the later tables.
        await replace(0, tree.main)
        await goOn()
        expect(await readStatus(0), 'the old version is ready again').toBe(200)
        rounds = round
      }
      await running.stop()
      await contacts.stop()
      expect(front.broken, 'requests that no process answered').toEqual([])
      expect([...load.statuses]).toEqual([[200, load.acknowledged.size]])
      expect([...contacts.statuses]).toEqual([[201, contacts.created.size]])
      const ledger = await expectLedgerBalances(admin, shops, load)
      await receiver.wait(contacts.created.size)
      const delivered = receiver.received.map(({ body }) => body.data.contactId as string)
      expect(delivered.length, 'delivered twice').toBe(new Set(delivered).size)
      expect(new Set(delivered)).toEqual(contacts.created)
      for (const server of servers) expect(server.output()).not.toContain('"level":50')
      recordFigures({
        rows: 'upgrade',
        fault: 'rolling upgrade and downgrade under load',
        rounds,
        ...ledger,
        note: `${contacts.created.size} contacts, each with one webhook delivery`,
      })
    },
    timeFor(BUSY_MS),
  )
})
