import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from './batch.ts'

/** A batch whose runs end when the test ends them. `lists` contains the started lists, in order. */
function observedBatch(options: Partial<Parameters<typeof batched>[1]> = {}) {
  const lists: number[][] = []
  const endings: (() => void)[] = []
  const call = batched<number, number>(
    async (items) => {
      lists.push(items)
      await new Promise<void>((resolve) => endings.push(resolve))
      return items.map((item) => item * 2)
    },
    {
      max: 256,
      inFlight: 2,
      least: 4,
      enough: 4,
      gatherMs: 20,
      few: 0,
      maxWaiting: 10,
      mayRunAgain: () => true,
      ...options,
    },
  )
  return { call, lists, end: (index: number) => endings[index]?.() }
}

test('calls of one turn of the event loop form one list, which starts immediately when no list is in flight', async () => {
  const { call, lists, end } = observedBatch()
  const answers = Promise.all([call(1), call(2), call(3)])
  await turn()
  expect(lists).toEqual([[1, 2, 3]])
  end(0)
  expect(await answers).toEqual([2, 4, 6])
})

test('while a batch is in flight, calls gather until there are `enough`', async () => {
  const { call, lists } = observedBatch({ gatherMs: 60_000 })
  void call(0)
  await turn()
  for (const item of [1, 2, 3]) void call(item)
  await turn()
  expect(lists).toEqual([[0]])
  void call(4)
  await turn()
  expect(lists).toEqual([[0], [1, 2, 3, 4]])
})

test('with few calls present, their fair share is enough to start the next list', async () => {
  const { call, lists, end } = observedBatch({ least: 2, enough: 100, gatherMs: 60_000 })
  const first = [0, 1, 2, 3, 4, 5].map(call)
  await turn()
  await turn()
  expect(lists).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ])
  end(0)
  await first[0]
  for (const item of [6, 7]) void call(item)
  await turn()
  await turn()
  expect(lists).toHaveLength(2)
  void call(8)
  await turn()
  await turn()
  expect(lists[2]).toEqual([6, 7, 8])
})

test('a list starts when its calls have waited for `gatherMs`', async () => {
  const { call, lists } = observedBatch()
  void call(0)
  await turn()
  void call(1)
  await wait(60)
  expect(lists).toEqual([[0], [1]])
})

test('a list starts when the batch in flight ends', async () => {
  const { call, lists, end } = observedBatch({ gatherMs: 60_000 })
  const first = call(0)
  await turn()
  void call(1)
  end(0)
  await first
  await turn()
  await turn()
  expect(lists).toEqual([[0], [1]])
})

test('the next list starts before the answers of the ended list are returned', async () => {
  const { call, lists, end } = observedBatch({ inFlight: 1 })
  const first = [0, 1].map(call)
  await turn()
  const second = [2, 3].map(call)
  const startedLists = Promise.all(first).then(() => lists.length)
  end(0)
  expect(await startedLists).toBe(2)
  end(1)
  expect(await Promise.all(second)).toEqual([4, 6])
})

test('at most `inFlight` lists run, and at most `maxWaiting` calls wait', async () => {
  const { call, lists, end } = observedBatch({ enough: 1 })
  const first = call(0)
  await turn()
  void call(1)
  await turn()
  const rest = Array.from({ length: 10 }, (_, i) => call(i + 2))
  await expect(call(99)).rejects.toMatchObject({ code: 'service_unavailable' })
  await turn()
  expect(lists).toHaveLength(2)
  end(0)
  await first
  await turn()
  await turn()
  expect(lists).toHaveLength(3)
  for (let list = 1; list < 12; list++) {
    end(list)
    await turn()
    await turn()
  }
  expect(await Promise.all(rest)).toHaveLength(10)
})

test('with more calls than `enough`, a list takes its fair share and the next list the rest', async () => {
  const { call, lists, end } = observedBatch()
  const first = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(call)
  await turn()
  await turn()
  expect(lists.map((list) => list.length)).toEqual([5, 5])
  end(0)
  await first[0]
  // The callers that were answered call again; five more calls are in flight.
  for (const item of [10, 11, 12, 13, 14, 15]) void call(item)
  await turn()
  await turn()
  expect(lists[2]).toHaveLength(6)
})

test('few calls form one list, which waits for callers who were just answered', async () => {
  const { call, lists, end } = observedBatch({ few: 8, gatherMs: 60_000 })
  const first = [0, 1, 2].map(call)
  await turn()
  end(0)
  await Promise.all(first)
  for (const item of [3, 4]) void call(item)
  await turn()
  await turn()
  expect(lists).toEqual([[0, 1, 2]])
  void call(5)
  await turn()
  expect(lists).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ])
})

test('few calls wait for the list in flight and for its caller', async () => {
  const { call, lists, end } = observedBatch({ few: 8, enough: 100, gatherMs: 60_000 })
  const first = call(0)
  await turn()
  for (const item of [1, 2, 3, 4]) void call(item)
  await turn()
  expect(lists).toEqual([[0]])
  end(0)
  await first
  void call(5)
  await turn()
  await turn()
  expect(lists).toEqual([[0], [1, 2, 3, 4, 5]])
})

test('a caller who returns alone waits for the others at most `gatherMs`', async () => {
  const { call, lists, end } = observedBatch({ few: 8 })
  const first = [0, 1, 2].map(call)
  await turn()
  end(0)
  await Promise.all(first)
  void call(3)
  await turn()
  expect(lists).toHaveLength(1)
  await wait(60)
  expect(lists).toEqual([[0, 1, 2], [3]])
})

test('each list is reported after it ended, with the waiting time of its calls and its own duration', async () => {
  const ended: { calls: number; waitedMs: number; tookMs: number }[] = []
  const { call, end } = observedBatch({
    gatherMs: 60_000,
    inFlight: 1,
    onBatch: (calls, waitedMs, tookMs) => ended.push({ calls, waitedMs, tookMs }),
  })
  const first = call(0)
  await turn()
  const others = [call(1), call(2)]
  await wait(20)
  expect(ended).toEqual([])
  end(0)
  await first
  await turn()
  await turn()
  end(1)
  await Promise.all(others)
  await turn()
  expect(ended.map(({ calls }) => calls)).toEqual([1, 2])
  expect(ended[0]!.tookMs).toBeGreaterThan(15)
  // Two calls that waited for as long as the first list ran.
  expect(ended[1]!.waitedMs).toBeGreaterThan(30)
})
