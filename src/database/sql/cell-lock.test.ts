import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { DEFAULT_CELL, withCell } from '../../core/values/cell.ts'
import { onDatabase } from '../on-database.ts'
import { cellLock, cellTextLock } from './cell-lock.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await onDatabase(database.url, (client) => client.query('create schema east; create schema west'))
})
afterAll(() => database.drop())

const locksOf = (cell: string) =>
  onDatabase(withCell(database.url, cell), async (client) => {
    const { rows } = await client.query<{ number: string; text: string }>(
      `select (${cellLock(7_226_419)})::text as number, (${cellTextLock("'log days'")})::text as text`,
    )
    return rows[0]!
  })

test('each cell has locks of its own, and the default cell those of earlier versions', async () => {
  const { rows } = await onDatabase(database.url, (client) =>
    client.query<{ text: string }>("select hashtextextended('log days', 0)::text as text"),
  )
  expect(await locksOf(DEFAULT_CELL)).toEqual({ number: '7226419', text: rows[0]!.text })
  const [east, west] = await Promise.all(['east', 'west'].map(locksOf))
  const numbers = [east, west].flatMap((locks) => [locks!.number, locks!.text])
  expect(new Set([...numbers, '7226419', rows[0]!.text]).size).toBe(6)
})
