import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { onDatabase } from './on-database.ts'
import './pool.ts'

test.each(['hex', 'escape'])(
  'bytes in %s are read unchanged, and their buffer has no spare memory',
  async (outputFormat) => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    await onDatabase(url, async (client) => {
      await client.query(`set bytea_output = ${outputFormat}`)
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (array) => {
          const written = Buffer.from(array)
          const { rows } = await client.query<{ read: Buffer }>('select $1::bytea as read', [written])
          expect(rows[0]!.read.equals(written)).toBe(true)
          expect(rows[0]!.read.buffer.byteLength).toBe(written.length)
        }),
        { numRuns: 50 },
      )
    })
  },
)
