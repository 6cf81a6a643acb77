import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openAsService } from '../../test/support/open-database.ts'
import { until } from '../../test/support/until.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { type Outside, platformContext, type Workspace } from '../core/context.ts'
import { outsideJob } from '../core/job.ts'
import { createSealer } from '../core/sealing.ts'
import type { OpenDatabase } from '../database/database.ts'
import { enqueue } from '../database/sql/enqueue-jobs.ts'
import { createDirectory, type Directory } from '../modules/platform/workspaces/directory.ts'
import { createWorkspace } from '../modules/platform/workspaces/operations/workspaces.ts'
import { outsideJobsSource } from './outside-jobs-source.ts'

let testDatabase: TestDatabase
let database: OpenDatabase
let directory: Directory
let aheadMs = 0
const clock: Clock = {
  ...systemClock,
  now: () => new Date(Date.now() + aheadMs),
  monotonicMs: () => systemClock.monotonicMs() + aheadMs,
}

/** Calls in flight, in order; the test ends each one. */
let calls: { name: string; workspaceId: string; end(fault?: Error): void }[] = []
let finished: string[] = []
let givenUp: [string, string][] = []

const call = outsideJob({
  name: 'call',
  payload: z.object({ name: z.string() }),
  retrySeconds: [60],
  runOutside: async (ctx, { name }) => {
    await new Promise<void>((resolve, reject) => {
      const end = (fault?: Error) => (fault ? reject(fault) : resolve())
      calls.push({ name, workspaceId: ctx.workspace.id, end })
    })
    return async () => {
      finished.push(name)
    }
  },
  giveUp: async (_ctx, { name }, reason) => {
    givenUp.push([name, reason])
  },
})

// These jobs make no real outbound calls.
const outside = {} as Outside
const source = (workspaces = directory.workspaces) =>
  outsideJobsSource({
    database,
    clock,
    outside,
    kinds: [call],
    workspaces,
    onJobFault: () => {},
  })
const put = (workspace: Workspace, ...names: string[]) =>
  database.tenant(workspace, async (unit) => {
    for (const name of names) await enqueue(platformContext(unit, workspace, clock), call, { name })
  })
const shop = async (): Promise<Workspace> => {
  const created = await database.system((tx) =>
    createWorkspace(tx, { name: 'Shop' }, clock.now(), createSealer('a secret key that only the tests use')),
  )
  return (await directory.workspace(created.workspaceId)) as Workspace
}
const rows = () =>
  database.query<{
    attempts: number
    failedAt: Date | null
    lastError: string | null
    leasedUntil: Date | null
  }>('select * from jobs order by id')
const started = (count: number) => until(() => calls.length === count, `${count} calls have started`)
const names = () => calls.map((call) => call.name)

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openAsService(testDatabase.url)
  directory = createDirectory(database.query, clock)
})
beforeEach(async () => {
  aheadMs = 0
  calls = []
  finished = []
  givenUp = []
  await database.query('delete from jobs')
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

describe('a job that calls the outside', () => {
  test('runs outside transactions, and commits its writes with its deletion', async () => {
    await put(await shop(), 'one')
    await source().runDue({})
    await started(1)
    expect(finished).toEqual([])
    expect(await rows()).toHaveLength(1)
    calls[0]!.end()
    await until(() => finished.length === 1, 'the job is finished')
    await until(async () => (await rows()).length === 0, 'the job is removed')
  })

  test('that hangs delays no other workspace: the turn ends, and they continue', async () => {
    const [slow, quick] = [await shop(), await shop()]
    await put(slow, ...Array.from({ length: 8 }, (_, i) => `slow ${i}`))
    const jobs = source()
    await jobs.runDue({})
    await started(4)
    await put(quick, 'quick')
    await jobs.runDue({})
    await started(5)
    expect(names().at(-1)).toBe('quick')
    calls[4]!.end()
    await until(() => finished.length === 1, 'the quick job is finished')
    // Each job that ends makes room for the next of its workspace, without another turn.
    for (let i = 0; i < 4; i++) calls[i]!.end()
    await started(9)
    for (const call of calls) call.end()
    await until(() => finished.length === 9, 'all jobs are finished')
    await jobs.stop()
  })

  test('whose workspace was deleted after the claim delays no other job', async () => {
    const [deleted, other] = [await shop(), await shop()]
    await put(deleted, ...Array.from({ length: 8 }, (_, i) => `gone ${i}`))
    await put(other, 'other')
    const jobs = source(async (ids) => {
      const workspaces = new Map(await directory.workspaces(ids))
      workspaces.delete(deleted.id)
      return workspaces
    })
    await jobs.runDue({})
    await started(1)
    expect(names()).toEqual(['other'])
    calls[0]!.end()
    await jobs.stop()
  })

  test('that hangs in enough workspaces to fill every place delays others only briefly', async () => {
    const stuck = await Promise.all([0, 1, 2, 3].map(shop))
    for (const [i, workspace] of stuck.entries())
      await put(workspace, ...[0, 1, 2, 3].map((n) => `stuck ${i} ${n}`))
    const jobs = source()
    await jobs.runDue({})
    await started(16)
    await put(await shop(), 'quick')
    await jobs.runDue({})
    expect(names(), 'all places are taken').not.toContain('quick')
    aheadMs = 2_100
    await jobs.runDue({})
    await started(17)
    expect(names().at(-1)).toBe('quick')
    for (const call of calls) call.end()
    await jobs.stop()
    expect(finished).toHaveLength(17)
  })

  test('is run by no other worker while it runs, for any duration, because its lease is renewed', async () => {
    await put(await shop(), 'long')
    const first = source()
    await first.runDue({})
    await started(1)
    const [before] = await rows()
    await until(
      async () => ((await rows())[0]!.leasedUntil as Date) > (before!.leasedUntil as Date),
      'the lease is renewed',
      15_000,
    )
    await source().runDue({})
    expect(names()).toEqual(['long'])
    calls[0]!.end()
    await first.stop()
    expect(finished).toEqual(['long'])
  })

  test('of a dead worker is run again when its lease ends, and the first worker can write no more', async () => {
    await put(await shop(), 'one')
    const [first, second] = [source(), source()]
    await first.runDue({})
    await started(1)
    aheadMs = 31_000
    await second.runDue({})
    await started(2)
    calls[0]!.end()
    await first.stop()
    expect(finished).toEqual([])
    calls[1]!.end()
    await second.stop()
    expect(finished).toEqual(['one'])
    expect(await rows()).toEqual([])
  })

  test('that fails is retried after its wait, then set aside with its error', async () => {
    await put(await shop(), 'one')
    const jobs = source()
    await jobs.runDue({})
    await started(1)
    calls[0]!.end(new Error('the far side is closed'))
    await until(async () => (await rows())[0]!.lastError !== null, 'the fault is recorded')
    await jobs.runDue({})
    expect(names()).toHaveLength(1)
    aheadMs = 61_000
    await jobs.runDue({})
    await started(2)
    calls[1]!.end(new Error('still closed'))
    await until(async () => (await rows())[0]!.failedAt !== null, 'the job is set aside')
    expect(givenUp).toEqual([['one', 'still closed']])
    expect(await rows()).toMatchObject([{ attempts: 2, lastError: 'still closed' }])
  })

  test('is waited for when the clock of its workspace moves', async () => {
    const [moving, other] = [await shop(), await shop()]
    await put(moving, 'here')
    await put(other, 'other')
    const moved = source().runDue({ workspaceId: moving.id })
    await started(1)
    expect(names()).toEqual(['here'])
    calls[0]!.end()
    expect(await moved).toBe(1)
    expect(finished).toEqual(['here'])
  })

  test('is waited for by a stop, which starts no other job', async () => {
    await put(await shop(), ...Array.from({ length: 6 }, (_, i) => `job ${i}`))
    const jobs = source()
    await jobs.runDue({})
    await started(4)
    const stopped = jobs.stop()
    for (const call of calls) call.end()
    await stopped
    expect(finished).toHaveLength(4)
    expect(calls).toHaveLength(4)
  })
})
