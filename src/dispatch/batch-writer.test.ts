import { describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { batchWriter } from './batch-writer.ts'

type Written = number[][]

/** Opens a writer into memory; `answer` and `withoutRefused` decide how PostgreSQL answers. */
function opened(answer: (batch: number[]) => Error | undefined, withoutRefused?: (result: number) => number) {
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

describe('the batch writer', () => {
  test('results that arrive together are written in one batch, and reported as written after it', async () => {
    const { writer, written } = opened(() => undefined)
    const reported: number[] = []
    for (const result of [1, 2, 3]) writer.add(result, () => reported.push(result))
    expect(reported).toEqual([])
    await writer.idle()
    expect([written, reported]).toEqual([[[1, 2, 3]], [1, 2, 3]])
  })

  test("a result that PostgreSQL rejects doesn't delay the others, and its reduced form is written", async () => {
    const { writer, written, errors } = opened(
      (batch) => (batch.includes(2) ? failure('22P05') : undefined),
      (result) => -result,
    )
    for (const result of [1, 2, 3]) writer.add(result, () => {})
    await writer.idle()
    expect(written).toEqual([[1], [-2], [3]])
    expect(errors.length).toBeGreaterThan(0)
  })

  test("a result that can't be written at all is given up", async () => {
    const { writer, written } = opened((batch) => (batch.includes(2) ? failure('23505') : undefined))
    const reported: number[] = []
    for (const result of [1, 2]) writer.add(result, () => reported.push(result))
    await writer.idle()
    expect([written, reported]).toEqual([[[1]], [1, 2]])
  })

  test('a result that keeps failing while others are written is given up and stops delaying them', async () => {
    const { writer, written } = opened(
      (batch) => (batch.includes(2) ? failure('54000') : undefined),
      (result) => -result,
    )
    const reported: number[] = []
    const add = (...results: number[]) => {
      for (const result of results) writer.add(result, () => reported.push(result))
    }
    add(1, 2, 3)
    await until(() => reported.length === 2, 'the other rows are written')
    for (const result of [4, 5]) {
      add(result)
      await until(() => reported.includes(result), 'later rows are written too')
    }
    await writer.idle()
    expect([written, reported]).toEqual([
      [[1], [3], [4], [5], [-2]],
      [1, 3, 4, 5, 2],
    ])
  })

  test('results that fail while the database is away are all written when it is back', async () => {
    let attempts = 0
    const { writer, written } = opened((batch) => {
      const down = attempts++ > 9 && attempts < 20
      return down || batch.length > 1 ? failure('57P01') : undefined
    })
    for (const result of [1, 2, 3, 4]) writer.add(result, () => {})
    await writer.idle()
    expect(written.flat().sort()).toEqual([1, 2, 3, 4])
  })

  test('results that all fail together for a long time are kept until the database is back', async () => {
    let away = 12
    const { writer, written } = opened(() => (away-- > 0 ? failure('42P01') : undefined))
    for (const result of [1, 2, 3]) writer.add(result, () => {})
    await writer.idle()
    expect(written.flat().sort()).toEqual([1, 2, 3])
  })

  test('results are retried for as long as the database is away, unless the process stops', async () => {
    let away = 2
    const { writer, written, errors } = opened(() => (away-- > 0 ? failure('57P01') : undefined))
    writer.add(1, () => {})
    await writer.idle()
    expect([written, errors.length]).toEqual([[[1]], 2])
    const unreachable = opened(() => failure('57P01'))
    unreachable.stop()
    unreachable.writer.add(1, () => {})
    await unreachable.writer.idle()
    expect(unreachable.written).toEqual([])
  })
})
