/** Guarantees of the driver that statements sharing a round trip must keep. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../../test/support/own-database.ts'
import type { OpenDatabase } from './database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openOwnDatabase()
})
afterAll(async () => {
  await database?.close()
})

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: Error) => error.message,
  )

test('statements sent together each get their own rows, in order', async () => {
  const answers = await database.system((tx) =>
    Promise.all([
      tx.sql('select $1::int4 as number', [1]),
      tx.sql('select n as number, null::text as nothing from generate_series(1, 2) n'),
      tx.sql('select 1 as one where false'),
      tx.sql('select $1::int4 as number', [2]),
    ]),
  )
  expect(answers).toEqual([
    [{ number: 1 }],
    [
      { number: 1, nothing: null },
      { number: 2, nothing: null },
    ],
    [],
    [{ number: 2 }],
  ])
})

test('statements after a failed statement fail for the same cause, and work the next time', async () => {
  const divide = 'select 1 / $1::int4 as quotient'
  const after = 'select $1::text as after_a_fault'
  const runBoth = (divisor: number) =>
    database.system((tx) => Promise.all([tx.sql(divide, [divisor]), tx.sql(after, ['it'])]))
  expect(await failureOf(runBoth(0))).toBe('division by zero')
  expect(await runBoth(1)).toEqual([[{ quotient: 1 }], [{ afterAFault: 'it' }]])
  expect(await failureOf(runBoth(0))).toBe('division by zero')
  expect(await runBoth(1)).toEqual([[{ quotient: 1 }], [{ afterAFault: 'it' }]])
})

test("a statement that PostgreSQL can't parse leaves no trace", async () => {
  for (let i = 0; i < 2; i++)
    expect(await failureOf(database.system((tx) => tx.sql('selekt 1')))).toMatch(/syntax error/)
  expect(await database.system((tx) => tx.sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test("a parameter that can't be serialized is rejected before any statement is sent", async () => {
  const circular: Record<string, unknown> = {}
  circular.itself = circular
  expect(await failureOf(database.system((tx) => tx.sql('select $1::text', [circular])))).toMatch(/circular/i)
  expect(await database.system((tx) => tx.sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test("a transaction with an ignored failed statement doesn't count as committed", async () => {
  const transaction = database.system(async (tx) => {
    await tx.sql('select 1 / $1::int4 as quotient', [0]).catch(() => {})
  })
  expect(await failureOf(transaction)).toMatch(/rolled back/)
})

test('a transaction that fails before its statements were sent writes no rows and stays closed', async () => {
  const failingTransaction = (before: boolean) =>
    database.system(async (tx) => {
      if (before) await tx.sql('select 1')
      tx.sql('select pg_advisory_xact_lock(1)').catch(() => {})
      tx.sql('create table left_behind ()').catch(() => {})
      throw new Error('failed at once')
    })
  for (const before of [false, true]) {
    expect(await failureOf(failingTransaction(before))).toBe('failed at once')
    const [remains] = await database.query(
      `select to_regclass('left_behind') is not null as written,
              exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as open`,
    )
    expect(remains).toEqual({ written: false, open: false })
  }
})
