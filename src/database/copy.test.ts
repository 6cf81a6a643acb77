import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { until, withinTime } from '../../test/support/until.ts'
import { DatabaseClient } from './client.ts'
import { copyOut } from './copy.ts'

/** Rows whose last piece fills the stream's buffer, and rows that fill it before. */
test.each([270, 400, 5_000])(
  'after a copy of %i rows to a slow reader, the connection goes on',
  async (rows) => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const client = new DatabaseClient({ connectionString: database.url })
    await client.connect()
    onTestFinished(() => client.end())
    const copied = copyOut(
      client,
      `copy (select repeat('x', 1000) from generate_series(1, ${rows})) to stdout`,
    )
    await until(() => copied.bytes.readableLength > copied.bytes.readableHighWaterMark, 'the buffer is full')
    let length = 0
    for await (const chunk of copied.bytes as AsyncIterable<Buffer>) length += chunk.length
    expect([copied.rows(), length]).toEqual([rows, rows * 1_001])
    const { rows: answer } = await withinTime(
      () => client.query('select 1 as one'),
      10_000,
      () => 'the next query has no answer',
    )
    expect(answer).toEqual([{ one: 1 }])
  },
)
