import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { onDatabase } from './on-database.ts'

test('a connection that ends between two statements rejects the next one, and the process goes on', async () => {
  const { url, drop } = await createTestDatabase()
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  process.prependListener('uncaughtException', note)
  try {
    const work = onDatabase(url, async (client) => {
      const ended = new Promise((resolve) => client.once('end', () => resolve(undefined)))
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      await onDatabase(url, (other) => other.query('select pg_terminate_backend($1)', [rows[0]!.pid]))
      await ended
      await client.query('select 1')
    })
    await expect(work).rejects.toThrow(/not queryable|Connection terminated/)
    expect(uncaught).toEqual([])
  } finally {
    process.off('uncaughtException', note)
    await drop()
  }
})
