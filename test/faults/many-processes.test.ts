/** Two web processes and two workers on one database (ARCHITECTURE.md "When things break"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setWorkspace } from '../../src/modules/workspaces/operations.ts'
import { type Body, type Client, clientOf } from '../support/boot.ts'
import { approvedTemplate, makeContacts } from '../support/campaigns.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Admin, type LoadShop, openAdmin, openShops } from '../support/load.ts'
import { makeReceivers } from '../support/receiver.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let webs: Installation[]
let workers: Installation[]
let workerServers: ServerProcess[]
let front: Awaited<ReturnType<typeof startRoundRobin>>
let admin: Admin
let shops: LoadShop[]

const installationsOf = (roles: string, env: Record<string, string>) =>
  Promise.all([1, 2].map(() => newInstallation({ ...env, DATABASE_URL: database.url, PARLEY_ROLES: roles })))

beforeAll(async () => {
  database = await createTestDatabase()
  receivers = await makeReceivers()
  webs = await installationsOf('web', receivers.env)
  workers = await installationsOf('worker', receivers.env)
  await Promise.all(webs.map((one) => one.start()))
  workerServers = await Promise.all(workers.map((one) => one.start()))
  front = await startRoundRobin(webs.map(({ port }) => port))
  admin = openAdmin(database.url)
  shops = await openShops(admin, front.url, 3)
}, 120_000)
afterAll(async () => {
  await front?.close()
  await admin?.close()
  for (const installation of [...(webs ?? []), ...(workers ?? [])]) await installation.remove()
  await receivers?.close()
  await database?.drop()
})

test('a key revoked through one process opens no other one moments later; so do settings', async () => {
  const shop = shops[0]!
  const through = webs.map(({ port }): Client => clientOf(`http://127.0.0.1:${port}`, shop.key))
  for (const client of through) expect((await client.get('/contacts')).status).toBe(200)
  await admin.query(
    "update workspaces set plan = 'free', sandbox = false, clock_offset_ms = 0 where id = $1",
    [shop.workspaceId],
  )
  await until(
    async () =>
      (await Promise.all(through.map((one) => one.get('/contacts')))).every(({ status }) => status === 402),
    'both processes know the plan',
  )
  await admin.query('update api_keys set revoked_at = created_at where workspace_id = $1', [shop.workspaceId])
  await until(
    async () =>
      (await Promise.all(through.map((one) => one.get('/contacts')))).every(({ status }) => status === 401),
    'both processes know of the revocation',
  )
})

test('a changed setting of campaigns changes their gates in every process within a second', async () => {
  const { workspaceId, key } = shops[1]!
  const through = webs.map(({ port }): Client => clientOf(`http://127.0.0.1:${port}`, key))
  await makeContacts(through[0]!, 3)
  const { phoneNumbers } = (await through[0]!.get('/phone-numbers')).body
  const plan = {
    templateId: await approvedTemplate(admin, { ...through[0]!, workspaceId }),
    phoneNumberId: phoneNumbers[0].id,
    segment: { optInStatus: 'unknown' },
    confirmNewRecipients: true,
  }
  const made = await through[0]!.post('/broadcasts', { ...plan, name: 'Lights', sendNow: true })
  expect(made.status, made.text).toBe(201)
  const warned = async () =>
    Promise.all(
      through.map(async (one) =>
        (await one.post('/broadcasts/preview', plan)).body.warnings.map(({ error }: Body) => error),
      ),
    )
  const cooling = ['new_recipient_cool_off']
  await until(async () => (await warned()).every((list) => list.join() === cooling.join()), 'both refuse')
  await admin.system((tx) => setWorkspace(tx, workspaceId, { coolOffDays: 0 }))
  await until(async () => (await warned()).every((list) => list.length === 0), 'both accept it', 1_000)
})

test('a worker that is told to stop ends cleanly', async () => {
  expect(await workerServers[1]!.end('SIGTERM')).toEqual({ code: 0, signal: null })
})
