import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openAsService } from '../../test/support/open-database.ts'
import { type Clock, DAY_MS, later, systemClock } from '../core/clock.ts'
import { platformContext, type Workspace } from '../core/context.ts'
import { job } from '../core/job.ts'
import { createSealer } from '../core/sealing.ts'
import type { OpenDatabase } from '../database/database.ts'
import { enqueue } from '../database/sql/enqueue-jobs.ts'
import { createDirectory, type Directory } from '../modules/platform/workspaces/directory.ts'
import { createWorkspace } from '../modules/platform/workspaces/operations/workspaces.ts'
import { jobRetentionSource } from './job-retention-source.ts'
import { jobsSource } from './jobs-source.ts'

let testDatabase: TestDatabase
let database: OpenDatabase
let directory: Directory
let workspace: Workspace
let aheadMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) }
const done: string[] = []

const greet = job({
  name: 'greet',
  payload: z.object({ name: z.string(), fails: z.boolean() }),
  retrySeconds: [60, 120],
  run: async (_ctx, { name, fails }) => {
    if (fails) throw new Error(`${name} is not there`)
    done.push(name)
  },
})

/** Fails, and fails again when its failure is recorded. */
const failTwice = job({
  name: 'stumble',
  payload: z.object({}),
  retrySeconds: [],
  run: async () => {
    throw new Error('it fails')
  },
  giveUp: async () => {
    throw new Error('so does giving it up')
  },
})

const faults: string[] = []
const source = () =>
  jobsSource({
    database,
    clock,
    kinds: [greet, failTwice],
    workspaces: directory.workspaces,
    onJobFault: (_job, error) => faults.push((error as Error).message),
  })
const put = (name: string, fails = false, dueAt?: Date) =>
  database.tenant(workspace, (unit) =>
    enqueue(platformContext(unit, workspace, clock), greet, { name, fails }, dueAt),
  )
const rows = () =>
  database.query<{ attempts: number; failedAt: Date | null; lastError: string | null }>('select * from jobs')

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openAsService(testDatabase.url)
  directory = createDirectory(database.query, clock)
  const created = await database.system((tx) =>
    createWorkspace(tx, { name: 'Shop' }, clock.now(), createSealer('a secret key that only the tests use')),
  )
  workspace = (await directory.workspace(created.workspaceId))!
})
beforeEach(async () => {
  aheadMs = 0
  done.length = 0
  faults.length = 0
  await database.query('delete from jobs')
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

test('a job runs once, in one transaction with its own deletion', async () => {
  await put('Asha')
  await source().runDue({})
  await source().runDue({})
  expect(done).toEqual(['Asha'])
  expect(await rows()).toEqual([])
})

test('a job waits until it is due', async () => {
  await put('later', false, new Date(clock.now().getTime() + 60_000))
  expect(await source().runDue({})).toBe(0)
  aheadMs = 61_000
  await source().runDue({})
  expect(done).toEqual(['later'])
})

test('two workers never run the same job', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, i) => put(`job ${i}`)))
  const [first, two] = [source(), source()]
  while ((await Promise.all([first.runDue({}), two.runDue({})])).some((ran) => ran > 0));
  expect(new Set(done).size).toBe(40)
  expect(done).toHaveLength(40)
})

test('a job that fails is retried after the waits of its kind, then set aside with its error', async () => {
  await put('Ravi', true)
  for (const waitMs of [0, 61_000, 121_000]) {
    aheadMs += waitMs
    await source().runDue({})
  }
  expect(await rows()).toMatchObject([
    { attempts: 3, lastError: 'Ravi is not there', failedAt: expect.any(Date) },
  ])
  aheadMs += 3_600_000
  expect(await source().runDue({})).toBe(0)
})

test("a job that can't even be set aside delays no other job, and is retried when its lease ends", async () => {
  await database.tenant(workspace, (unit) => enqueue(platformContext(unit, workspace, clock), failTwice, {}))
  await put('Asha', false, later(clock.now(), 1))
  aheadMs = 1_000
  await source().runDue({})
  expect(done).toEqual(['Asha'])
  expect(faults).toEqual(['it fails', 'so does giving it up'])
  aheadMs += 13_000
  expect(await source().runDue({})).toBe(1)
})

test('a permanently failed job is kept with its error for 30 days, and no longer', async () => {
  await put('Ravi', true)
  for (const waitMs of [0, 61_000, 121_000]) {
    aheadMs += waitMs
    await source().runDue({})
  }
  await put('waiting', false, later(clock.now(), 90 * DAY_MS))
  const retention = jobRetentionSource({ database, clock })
  aheadMs += 30 * DAY_MS - 60_000
  expect(await retention.runDue({})).toBe(0)
  expect(await rows()).toHaveLength(2)
  aheadMs += 60_000
  await retention.runDue({})
  expect(await rows()).toMatchObject([{ failedAt: null }])
})

test('the lease of a dead worker ends, and another worker claims the job', async () => {
  await put('abandoned')
  await database.query(`update jobs set leased_until = $1, attempts = 1`, [
    new Date(clock.now().getTime() + 30_000),
  ])
  expect(await source().runDue({})).toBe(0)
  aheadMs = 31_000
  await source().runDue({})
  expect(done).toEqual(['abandoned'])
})
