/** Recovery of leased messages from the journal of a killed process (DECISIONS.md). */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  boot,
  type Client,
  clientOf,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.ts'
import {
  type CloudShop,
  cloudShop,
  receipt,
  standInOperator,
} from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'
import { later, systemClock } from '../../../../core/clock.ts'
import { openCallJournal } from '../../../../dispatch/journal/call-journal.ts'
import { currentBoot } from '../../../../dispatch/journal/machine.ts'
import { findDatabaseName } from './queries/unfinished-calls.ts'

const LEASE_MS = 95_000
const customers = Array.from({ length: 6 }, (_, i) => `+91983456789${i}`)

let operator: Awaited<ReturnType<typeof standInOperator>>
let database: TestDatabase
/** Accepts messages and hands none over. */
let web: TestParley | undefined
let shop: CloudShop<TestWorkspace>
let client: Client
beforeAll(async () => {
  operator = await standInOperator()
  database = await createTestDatabase()
  const first = await boot({ databaseUrl: database.url, env: operator.env })
  shop = await cloudShop({
    system: (work) => (web ?? first).system(work),
    workspace: () => first.workspace(),
  })
  await shop.writesAll(customers)
  await first.close()
  web = await boot({ databaseUrl: database.url, env: { ...operator.env, PARLEY_ROLES: 'web' } })
  client = clientOf(web.url, shop.key)
})
afterAll(async () => {
  await web?.close()
  await operator?.close()
  await database?.drop()
})

const query = <Row>(text: string, values: unknown[] = []) => web!.system((tx) => tx.sql<Row>(text, values))
const databaseName = () => findDatabaseName((text, values) => query(text, values))

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-left-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function sendTo(to: string): Promise<string> {
  const answer = await client.post('/send', { to, type: 'text', text: 'Hi' })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}

/**
 * Leaves the state of a process that was killed while it leased these messages; `names`: the database of its
 * journal.
 */
async function leaseAndDie(
  dataDir: string,
  ids: string[],
  options: { database?: string; leasedUntil?: Date } = {},
) {
  const journal = (await openCallJournal({
    folder: join(dataDir, 'hand-over'),
    holder: randomUUID(),
    database: options.database ?? (await databaseName()),
    monotonicMs: () => 0,
    onError: (error) => {
      throw error
    },
  }))!
  const keys = ids.map((id) => ({ workspaceId: shop.workspaceId, id }))
  const leased = journal.lease(keys, later(systemClock.now(), LEASE_MS))
  await query('update messages set leased_until = $2, handovers = 1 where id = any($1)', [
    ids,
    options.leasedUntil ?? leased.until,
  ])
  await query(`update number_lanes set holder = $1, leased_until = $2 where phone_number_id = $3`, [
    journal.self.name,
    later(systemClock.now(), 10_000),
    shop.cloudNumberId,
  ])
  return { journal, calls: leased.calls, die: () => journal.close() }
}

/** Starts the next process on the same database and this data directory. */
async function startWorker(dataDir: string): Promise<TestParley> {
  const worker = await boot({
    databaseUrl: database.url,
    env: { ...operator.env, PARLEY_ROLES: 'worker', PARLEY_DATA_DIR: dataDir },
  })
  onTestFinished(() => worker.close())
  return worker
}

const messageOf = async (id: string) => (await client.get(`/messages/${id}`)).body.message
const countCalls = (id: string): number =>
  operator.taken.filter((call) => call.body.biz_opaque_callback_data === id).length
const isTaken = (id: string, description: string) => until(() => countCalls(id) > 0, description, 30_000)
describe.skipIf(currentBoot() === undefined)('a message that a killed process had leased', () => {
  test('goes out at the next start if its call had not begun, and takes its answer from the journal if it has one', async () => {
    const dataDir = newDataDir()
    const [notBegun, accepted, failed, retried] = await Promise.all(customers.slice(0, 4).map(sendTo))
    const { journal, calls, die } = await leaseAndDie(dataDir, [notBegun!, accepted!, failed!, retried!])
    for (const call of calls.slice(1)) journal.begin(call)
    journal.answer(calls[1], { kind: 'accepted', chanmid: 'wamid.journaled' })
    journal.answer(calls[2], {
      kind: 'failed',
      error: {
        code: 131026,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        details: null,
        category: 'recipient',
        permanent: true,
        retryable: false,
      },
    })
    journal.answer(calls[3], { kind: 'again', runAt: systemClock.now(), counted: true })
    await die()
    await startWorker(dataDir)
    await isTaken(notBegun!, 'what had not begun is with the operator')
    await isTaken(retried!, 'what was to be tried again is with the operator')
    await until(
      async () => (await messageOf(accepted!)).chanmid === 'wamid.journaled',
      'the answer is recorded',
    )
    await until(
      async () => (await messageOf(failed!)).status === 'failed',
      "the operator's error is recorded",
    )
    expect(await messageOf(failed!)).toMatchObject({ error: { code: 131026 } })
    expect([notBegun, accepted, failed, retried].map((id) => countCalls(id!))).toEqual([1, 0, 0, 1])
    await until(
      () => readdirSync(join(dataDir, 'hand-over')).filter((name) => name.endsWith('.journal')).length <= 1,
      'the leftover calls are deleted',
    )
  })

  test('waits for its receipt if its call had begun and has no answer', async () => {
    const dataDir = newDataDir()
    const [started, other] = await Promise.all(customers.slice(0, 2).map(sendTo))
    const { journal, calls, die } = await leaseAndDie(dataDir, [started!, other!])
    journal.begin(calls[0])
    await die()
    const worker = await startWorker(dataDir)
    await isTaken(other!, 'what had not begun is with the operator')
    expect(await messageOf(started!)).toMatchObject({ status: 'queued', chanmid: null })
    await shop.operatorSays(receipt('delivered', { chanmid: 'wamid.late', messageId: started! }))
    worker.wake()
    await until(async () => (await messageOf(started!)).status === 'delivered', 'the receipt is applied')
    expect(countCalls(started!)).toBe(0)
  })

  test('waits until its lease ends if the journal is about another lease, another database, or is missing', async () => {
    const dataDir = newDataDir()
    const [leasedAgain, elsewhere, journalless, fresh] = await Promise.all(customers.slice(0, 4).map(sendTo))
    const leasedUntil = later(systemClock.now(), 2 * LEASE_MS)
    await (await leaseAndDie(dataDir, [leasedAgain!], { leasedUntil })).die()
    await (await leaseAndDie(dataDir, [elsewhere!], { database: 'another' })).die()
    await (await leaseAndDie(newDataDir(), [journalless!])).die()
    await query('update number_lanes set leased_until = null')
    await startWorker(dataDir)
    await isTaken(fresh!, 'later messages go out')
    const unconfirmed = [leasedAgain!, elsewhere!, journalless!]
    for (const id of unconfirmed)
      expect(await messageOf(id)).toMatchObject({ status: 'queued', chanmid: null })
    // Its lease ends without a report of it.
    await query('update messages set leased_until = $2 where id = any($1)', [unconfirmed, systemClock.now()])
    for (const id of unconfirmed) {
      await until(async () => (await messageOf(id)).status === 'failed', 'the message is unconfirmed')
      expect(await messageOf(id)).toMatchObject({ error: { code: 0, title: 'Unconfirmed' } })
    }
    expect(unconfirmed.map(countCalls)).toEqual([0, 0, 0])
  })

  test('goes out once when two processes of the same data directory start together', async () => {
    const dataDir = newDataDir()
    const ids = await Promise.all(customers.map(sendTo))
    await (await leaseAndDie(dataDir, ids)).die()
    await Promise.all([startWorker(dataDir), startWorker(dataDir)])
    for (const id of ids) await isTaken(id, 'it is with the operator')
    await until(
      async () => (await Promise.all(ids.map(messageOf))).every(({ chanmid }) => chanmid),
      'answers are recorded',
    )
    expect(ids.map(countCalls)).toEqual(ids.map(() => 1))
  })

  test('goes out as before if no journal can be kept', async () => {
    const dataDir = newDataDir()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'hand-over'), 'no folder')
    const id = await sendTo(customers[0]!)
    await startWorker(dataDir)
    await isTaken(id, 'it is with the operator')
  })
})
