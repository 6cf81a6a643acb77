import { describe, expect, test } from 'vitest'
import { batchWriter } from './batch-writer.ts'

type Written = number[][]

/** A writer into memory; `refuse` and `fail` say how PostgreSQL answers. */
function opened(answer: (batch: number[]) => Error | undefined, withoutRefused?: (one: number) => number) {
  const written: Written = []
  const errors: unknown[] = []
  let stopping = false
  const writer = batchWriter<number>({
    write: async (batch) => {
      const error = answer(batch)
      if (error) throw error
      written.push(batch)
    },
    withoutRefused,
    gatherMs: 1,
    underWay: () => 1,
    stopping: () => stopping,
    onError: (error) => errors.push(error),
  })
  return { writer, written, errors, stop: () => (stopping = true) }
}

const failure = (code: string) => Object.assign(new Error(code), { code })

describe('results of calls', () => {
  test('that come together are one batch, and are reported as written after it', async () => {
    const { writer, written } = opened(() => undefined)
    const reported: number[] = []
    for (const one of [1, 2, 3]) writer.add(one, () => reported.push(one))
    expect(reported).toEqual([])
    await writer.idle()
    expect([written, reported]).toEqual([[[1, 2, 3]], [1, 2, 3]])
  })

  test('one that PostgreSQL refuses holds up no neighbour, and is written without what it refused', async () => {
    const { writer, written, errors } = opened(
      (batch) => (batch.includes(2) ? failure('22P05') : undefined),
      (one) => -one,
    )
    for (const one of [1, 2, 3]) writer.add(one, () => {})
    await writer.idle()
    expect(written).toEqual([[1], [-2], [3]])
    expect(errors.length).toBeGreaterThan(0)
  })

  test('one that cannot be written at all is given up', async () => {
    const { writer, written } = opened((batch) => (batch.includes(2) ? failure('23505') : undefined))
    const reported: number[] = []
    for (const one of [1, 2]) writer.add(one, () => reported.push(one))
    await writer.idle()
    expect([written, reported]).toEqual([[[1]], [1, 2]])
  })

  test('are written again for as long as the database is away, unless the process stops', async () => {
    let away = 2
    const { writer, written, errors } = opened(() => (away-- > 0 ? failure('57P01') : undefined))
    writer.add(1, () => {})
    await writer.idle()
    expect([written, errors.length]).toEqual([[[1]], 2])
    const gone = opened(() => failure('57P01'))
    gone.stop()
    gone.writer.add(1, () => {})
    await gone.writer.idle()
    expect(gone.written).toEqual([])
  })
})
