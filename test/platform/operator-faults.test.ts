/**
 * `parley simulate fault --of operator`: calls to the simulated operator of a sandbox fail
 * (docs/simulator.md).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { until } from '../support/until.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'parley-operator-faults-'))
const customer = '+919812345678'
let parley: TestParley

beforeAll(async () => {
  parley = await boot()
})
afterAll(async () => {
  await parley?.close()
  rmSync(dataDir, { recursive: true })
})

const run = (shop: TestWorkspace, ...words: string[]) =>
  runParley(['simulate', 'fault', '--workspace', shop.workspaceId, '--of', 'operator', ...words, '--json'], {
    PARLEY_DATA_DIR: dataDir,
    DATABASE_URL: parley.databaseUrl,
    PARLEY_SECRET_KEY: SECRET_KEY,
  })
async function fail(shop: TestWorkspace, kind: string, ...more: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(shop, '--kind', kind, ...more)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await parley.caughtUp()
  return JSON.parse(stdout)
}

/** A sandbox with a customer who has messaged it. */
async function createRepliedShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(customer, 'Hello')
  return shop
}
async function sendAndRead(shop: TestWorkspace): Promise<{ status: string; errorCode: number | null }> {
  const { body, status, text } = await shop.post('/send', { to: customer, type: 'text', text: 'Hi' })
  expect(status, text).toBe(200)
  await shop.advance(30)
  return (await shop.get(`/messages/${body.messageId}`)).body.message
}

test("refuse: the next messages fail with the operator's code, the one after them is read", async () => {
  const shop = await createRepliedShop()
  expect(await fail(shop, 'refuse', '--times', '2')).toEqual({ of: 'operator', kind: 'refuse', times: 2 })
  const other = await createRepliedShop()
  expect(await sendAndRead(other)).toMatchObject({ status: 'read' })
  for (let i = 0; i < 2; i++)
    expect(await sendAndRead(shop)).toMatchObject({ status: 'failed', error: { code: 100 } })
  expect(await sendAndRead(shop)).toMatchObject({ status: 'read' })
})

test('no-answer: a message that the operator accepted without an answer is still sent once', async () => {
  const shop = await createRepliedShop()
  await fail(shop, 'no-answer')
  expect(await sendAndRead(shop)).toMatchObject({ status: 'read' })
  const [left] = await parley.system((tx) =>
    tx.sql(
      "select value ->> 'left' as times from simulator_objects where workspace_id = $1 and kind = 'fault'",
      [shop.workspaceId],
    ),
  )
  expect(left).toEqual({ times: '0' })
  const { events } = (await shop.get('/events?limit=100')).body
  const reported = events.filter(({ event }: { event: string }) => event === 'message.status')
  expect(reported.map(({ data }: { data: { status: string } }) => data.status).sort()).toEqual([
    'delivered',
    'read',
    'sent',
  ])
})

test('token-expired: a message fails, another call disconnects the number until it is checked again', async () => {
  const shop = await createRepliedShop()
  await fail(shop, 'token-expired', '--times', '2')
  expect(await sendAndRead(shop)).toMatchObject({ status: 'failed', error: { code: 190 } })
  const { contacts } = (await shop.get('/contacts')).body
  expect((await shop.post(`/contacts/${contacts[0].id}/block`)).status).toBeGreaterThanOrEqual(400)
  const state = async () => (await shop.get('/phone-numbers')).body.phoneNumbers[0].state
  await until(async () => (await state()) === 'disconnected', 'the number is shown as disconnected')
  await parley.system((tx) =>
    tx.sql('update number_lanes set check_due_at = $2 where workspace_id = $1', [
      shop.workspaceId,
      new Date(),
    ]),
  )
  parley.wake()
  await until(async () => (await state()) === 'active', 'the service has checked the number')
})

test.each([
  [
    'publish-fails',
    /--kind: Must be one of no-answer, refuse, token-expired with --of operator, not publish-fails\./,
  ],
  ['late', /--kind/],
])('wrong usage exits with 2: --kind %s', async (kind, reason) => {
  const { code, stdout, stderr } = await run(await createRepliedShop(), '--kind', kind)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(reason)
})
