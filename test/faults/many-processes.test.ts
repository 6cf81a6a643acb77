/** Two web processes and two workers on one database (ARCHITECTURE.md "When things break"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { type Body, type Client, clientOf } from '../support/boot.ts'
import { approvedTemplate, makeContacts } from '../support/campaigns.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  type Admin,
  expectLedgerBalances,
  type LoadShop,
  newLoad,
  openAdmin,
  openShops,
  steadyLoad,
} from '../support/load.ts'
import { makeReceivers } from '../support/receiver.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { accept, cloudShop, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let webs: Installation[]
let workers: Installation[]
let webServers: ServerProcess[]
let workerServers: ServerProcess[]
let front: Awaited<ReturnType<typeof startRoundRobin>>
let admin: Admin
let operator: Awaited<ReturnType<typeof standInOperator>>

const CUSTOMERS = Array.from({ length: 20 }, (_, i) => `+9198123457${String(i).padStart(2, '0')}`)
const TAGGED = 30_000

const installationsOf = (roles: string, env: Record<string, string>) =>
  Promise.all([1, 2].map(() => newInstallation({ ...env, DATABASE_URL: database.url, PARLEY_ROLES: roles })))

beforeAll(async () => {
  database = await createTestDatabase()
  receivers = await makeReceivers()
  operator = await standInOperator()
  const env = { ...receivers.env, ...operator.env }
  webs = await installationsOf('web', env)
  workers = await installationsOf('worker', env)
  webServers = await Promise.all(webs.map((web) => web.start()))
  workerServers = await Promise.all(workers.map((worker) => worker.start()))
  front = await startRoundRobin(webs.map(({ port }) => port))
  admin = openAdmin(database.url)
})
afterAll(async () => {
  await front?.close()
  await admin?.close()
  for (const installation of [...(webs ?? []), ...(workers ?? [])]) await installation.remove()
  await receivers?.close()
  await operator?.close()
  await database?.drop()
})

test('a key revoked through one process is rejected by every other moments later; changed settings apply there too', async () => {
  const [shop] = (await openShops(admin, front.url, 1)) as [LoadShop]
  const clients = webs.map(({ port }): Client => clientOf(`http://127.0.0.1:${port}`, shop.key))
  for (const client of clients) expect((await client.get('/contacts')).status).toBe(200)
  await admin.query(
    "update workspaces set plan = 'free', sandbox = false, clock_offset_ms = 0 where id = $1",
    [shop.workspaceId],
  )
  await until(
    async () =>
      (await Promise.all(clients.map((client) => client.get('/contacts')))).every(
        ({ status }) => status === 402,
      ),
    'both processes know the plan',
    30_000,
  )
  await admin.query('update api_keys set revoked_at = created_at where workspace_id = $1', [shop.workspaceId])
  await until(
    async () =>
      (await Promise.all(clients.map((client) => client.get('/contacts')))).every(
        ({ status }) => status === 401,
      ),
    'both processes know the revocation',
    30_000,
  )
})

test("changed campaign settings change the campaigns' gates in every process within a second", async () => {
  const [{ workspaceId, key }] = (await openShops(admin, front.url, 1)) as [LoadShop]
  const clients = webs.map(({ port }): Client => clientOf(`http://127.0.0.1:${port}`, key))
  await makeContacts(clients[0]!, 3)
  const { phoneNumbers } = (await clients[0]!.get('/phone-numbers')).body
  const plan = {
    templateId: await approvedTemplate(admin, { ...clients[0]!, workspaceId }),
    phoneNumberId: phoneNumbers[0].id,
    segment: { optInStatus: 'unknown' },
    confirmNewRecipients: true,
  }
  const response = await clients[0]!.post('/broadcasts', { ...plan, name: 'Lights', sendNow: true })
  expect(response.status, response.text).toBe(201)
  const listWarnings = async () =>
    Promise.all(
      clients.map(async (client) =>
        (await client.post('/broadcasts/preview', plan)).body.warnings.map(({ error }: Body) => error),
      ),
    )
  const cooling = ['new_recipient_cool_off']
  await until(
    async () => (await listWarnings()).every((list) => list.join() === cooling.join()),
    'both processes reject it',
  )
  await admin.system((tx) => setWorkspace(tx, workspaceId, { coolOffDays: 0 }))
  await until(
    async () => (await listWarnings()).every((list) => list.length === 0),
    'both processes accept it',
    1_000,
  )
})

test('a rolling restart under load: every request gets 2xx, nothing is lost, nothing doubled', async () => {
  const shops = await openShops(admin, front.url, 3)
  const load = newLoad()
  const brokenBefore = front.broken.length
  const running = steadyLoad(shops, load)
  for (const [i, web] of webs.entries()) {
    const before = load.acknowledged.size
    await until(() => load.acknowledged.size >= before + 100, 'the load is on')
    expect(await webServers[i]!.end('SIGTERM')).toEqual({ code: 0, signal: null })
    webServers[i] = await web.start()
  }
  await running.stop()
  expect(front.broken.slice(brokenBefore), 'what the proxy could not hand on').toEqual([])
  expect([...load.statuses]).toEqual([[200, load.acknowledged.size]])
  await expectLedgerBalances(admin, shops, load)
})

/** Contacts with a tag. One job after another writes the tag's new name to them. */
async function addTaggedContacts(workspaceId: string, tag: string): Promise<void> {
  await admin.query(
    `insert into contacts (workspace_id, id, phone, tags, created_at, updated_at)
     select $1, gen_random_uuid(), '+9180' || lpad(n::text, 8, '0'), array[$2], $3, $3 from generate_series(1, $4::int) n`,
    [workspaceId, tag, new Date(), TAGGED],
  )
}

test("a killed worker's work is taken over within 30 s; a worker that is asked to stop ends cleanly", async () => {
  const shops = await openShops(admin, front.url, 3)
  const receiver = await receivers.open()
  const hanging: (() => void)[] = []
  let mayAnswer = false
  receiver.answer((response) => {
    if (mayAnswer) response.writeHead(200).end()
    else hanging.push(() => response.destroy())
  })
  for (const shop of shops)
    expect((await shop.post('/webhooks', { url: `${receiver.url}/${shop.workspaceId}` })).status).toBe(201)
  const cloud = await cloudShop({ system: admin.system, workspace: async () => shops[0]! })
  await cloud.writesAll(CUSTOMERS)
  operator.answer((handover) => void setTimeout(() => accept(handover), 300))
  const tagged = shops[1]!
  await addTaggedContacts(tagged.workspaceId, 'old name')
  const tag = (await tagged.post('/tags', { name: 'old name' })).body.tag

  // One worker takes all work; the other starts just before the first dies.
  expect(await workerServers[1]!.end('SIGTERM')).toEqual({ code: 0, signal: null })
  const load = newLoad()
  const running = steadyLoad(shops, load)
  expect((await tagged.patch(`/tags/${tag.id}`, { name: 'new name' })).status).toBe(200)
  const written = await Promise.all(
    CUSTOMERS.flatMap((to) =>
      [1, 2, 3].map((n) =>
        shops[0]!.post('/send', { to, type: 'text', text: `${n}`, phoneNumberId: cloud.cloudNumberId }),
      ),
    ),
  )
  for (const answer of written) expect(answer.status, answer.text).toBe(200)
  await until(() => operator.taken.length > 5 && hanging.length > 5, 'work is in progress')
  workerServers[1] = await workers[1]!.start()
  await workerServers[0]!.end('SIGKILL')
  const killedMs = performance.now()
  const inHand = new Set(operator.taken.map((handover) => handover.body.biz_opaque_callback_data))
  mayAnswer = true
  for (const hangUp of hanging) hangUp()
  await running.stop()

  const ofCloud = written.map(({ body }) => body.messageId as string)
  const toBeReported = new Set(load.acknowledged.values())
  await until(
    async () => {
      const submitted = new Set(operator.taken.map((handover) => handover.body.biz_opaque_callback_data))
      const waiting = ofCloud.filter((id) => !submitted.has(id))
      if (waiting.length > 0) throw new Error(`${waiting.length} were not handed over`)
      for (const { body } of receiver.received)
        if (['read', 'failed'].includes(body.data.status)) toBeReported.delete(body.data.messageId)
      if (toBeReported.size > 0) throw new Error(`${toBeReported.size} ends were not delivered`)
      const [{ left }] = (await admin.query<{ left: number }>(
        'select count(*)::int as left from contacts where workspace_id = $1 and tags @> $2',
        [tagged.workspaceId, ['old name']],
      )) as [{ left: number }]
      if (left > 0) throw new Error(`${left} contacts have the old tag`)
      return true
    },
    'the other worker does all of it',
    30_000 - (performance.now() - killedMs),
  )
  console.log(`taken over in ${Math.round(performance.now() - killedMs)} ms`)
  const takings = operator.taken.map((handover) => handover.body.biz_opaque_callback_data)
  expect(takings.length, 'handed over twice').toBe(new Set(takings).size)
  expect(inHand.size).toBeGreaterThan(5)
})
