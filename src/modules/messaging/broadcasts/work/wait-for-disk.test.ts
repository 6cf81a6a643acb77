import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../../../../../test/support/own-database.ts'
import { until } from '../../../../../test/support/until.ts'
import type { OpenDatabase } from '../../../../database/database.ts'
import { isLogBehind } from '../queries/log-behind.ts'
import { waitForDisk } from './wait-for-disk.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openOwnDatabase()
})
afterAll(() => database.close())

/** Writes as much to the log as the database keeps in memory, without waiting for the disk. */
const fillLog = () =>
  database.query(
    `select pg_logical_emit_message(false, 'test', repeat('x', pg_size_bytes(current_setting('wal_buffers'))::int))`,
  )

test('the disk is behind after much was written in memory', async () => {
  // Other commits may take the log to the disk at any time.
  await until(async () => {
    await fillLog()
    return isLogBehind(database.query)
  }, 'the disk is behind')
})

test('a campaign continues when the log is on disk', async () => {
  await fillLog()
  await waitForDisk(database.query)
  await until(async () => !(await isLogBehind(database.query)), 'the log is on disk')
})

test('a database that does not show its log is never behind', async () => {
  const failing = () => Promise.reject(new Error('not supported'))
  expect(await isLogBehind(failing)).toBe(false)
})
