import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LISTS_MS, openChanges, ROWS_MS } from './changes.ts'
import { laterFirst, patchRows } from './patch-rows.ts'

type Chat = { id: string; at: string }
const order = { compare: (a: Chat, b: Chat) => laterFirst(a.at, b.at) }
const chat = (id: string, time: number): Chat => ({ id, at: String(time).padStart(4, '0') })
const ids = (pages: readonly Record<string, unknown>[] | undefined) =>
  pages?.map(({ chats }) => (chats as Chat[]).map(({ id }) => id).join(''))

describe('a list is updated by the rows that changed', () => {
  const pages = [
    { chats: [chat('a', 90), chat('b', 80)], nextCursor: 'x' },
    { chats: [chat('c', 70), chat('d', 60)], nextCursor: 'y' },
  ]
  const patch = (fresh: Chat[], changed: string[], from: Record<string, unknown>[] = pages) =>
    ids(patchRows(from, { rows: 'chats', ids: changed, fresh, order }))

  test('changed and new rows move to their place', () => {
    expect(patch([chat('d', 100)], ['d'])).toEqual(['da', 'bc'])
    expect(patch([chat('e', 75)], ['e'])).toEqual(['ab', 'ecd'])
  })

  test('a row that was named and read twice appears only once', () => {
    expect(patch([chat('d', 100), chat('d', 100)], ['d', 'd'])).toEqual(['da', 'bc'])
  })

  test('a row that no longer belongs to the list leaves it', () => {
    expect(patch([], ['b'])).toEqual(['ac', 'd'])
  })

  test('rows after the loaded pages come with their own page, unless the list ends there', () => {
    expect(patch([chat('e', 1)], ['e'])).toEqual(['ab', 'cd'])
    expect(patch([chat('e', 1)], ['e'], [{ chats: [chat('a', 9)], nextCursor: null }])).toEqual(['ae'])
    expect(patch([chat('e', 1)], ['e'], [{ chats: [], nextCursor: null }])).toEqual(['e'])
  })

  test('a list with a count is read again only when a row enters or leaves it', () => {
    const counted = { ...order, isCounted: true as const }
    const patchIds = (fresh: Chat[], changed: string[]) =>
      ids(patchRows(pages, { rows: 'chats', ids: changed, fresh, order: counted }))
    expect(patchIds([chat('d', 100)], ['d', 'elsewhere'])).toEqual(['da', 'bc'])
    expect(patchIds([], ['d'])).toBeUndefined()
    expect(patchIds([chat('e', 100)], ['e'])).toBeUndefined()
  })

  test('if the place of rows cannot be computed, they are replaced while the values that determine the place stay the same', () => {
    const by = { place: ({ at }: Chat) => at }
    const patchRow = (fresh: Chat[]) => patchRows(pages, { rows: 'chats', ids: ['b'], fresh, order: by })
    expect(ids(patchRow([chat('b', 80)]))).toEqual(['ab', 'cd'])
    expect(patchRow([chat('b', 3)])).toBeUndefined()
    expect(patchRow([])).toBeUndefined()
  })
})

/** Creates a page that shows a list and its counts, with a simulated server. */
function newPage(server: Map<string, Chat>, wire: { isHidden?: boolean } = {}) {
  const reads = { rows: 0, lists: 0, counts: 0 }
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } })
  const changes = openChanges({ client, isHidden: () => wire.isHidden ?? false })
  changes.patchLists([
    {
      kind: 'chat',
      rows: 'chats',
      source: ([, , part]) =>
        part === 'counts'
          ? undefined
          : {
              name: 'all',
              read: async (rowIds) => {
                reads.rows++
                return rowIds.flatMap((id) => server.get(id) ?? [])
              },
              order,
            },
    },
  ])
  const list = new QueryObserver(client, {
    queryKey: ['chat', 'list', 'all'],
    queryFn: async () => {
      reads.lists++
      return { chats: [...server.values()].sort(order.compare), nextCursor: null }
    },
  })
  const counts = new QueryObserver(client, {
    queryKey: ['chat', 'list', 'counts'],
    queryFn: async () => {
      reads.counts++
      return server.size
    },
  })
  list.subscribe(() => {})
  counts.subscribe(() => {})
  return {
    ...changes,
    reads,
    client,
    shown: () => (list.getCurrentResult().data?.chats ?? []).map(({ id }) => id),
    counted: () => counts.getCurrentResult().data,
  }
}

describe("a page and the stream's changes", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const server = () => new Map(['a', 'b', 'c'].map((id, index) => [id, chat(id, 9 - index)]))
  const openPage = async (wire = {}) => {
    const chats = server()
    const page = newPage(chats, wire)
    await vi.advanceTimersByTimeAsync(0)
    return { chats, page }
  }

  test('shows a change immediately, reads only the changed rows, and continues in steps while more changes arrive', async () => {
    const { chats, page } = await openPage()
    expect(page.reads).toEqual({ rows: 0, lists: 1, counts: 1 })
    chats.set('c', chat('c', 20))
    page.apply({ chat: ['c'] })
    await vi.advanceTimersByTimeAsync(1)
    expect(page.shown()).toEqual(['c', 'a', 'b'])
    for (let step = 0; step < 40; step++) {
      chats.set('b', chat('b', 30 + step))
      page.apply({ chat: ['b'] })
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(2 * LISTS_MS)
    expect(page.shown()).toEqual(['b', 'c', 'a'])
    expect(page.reads.lists).toBe(1)
    expect(page.reads.rows).toBeLessThanOrEqual(2 + 4_000 / ROWS_MS)
    expect(page.reads.counts).toBeLessThanOrEqual(4)
  })

  test('after a gap, or with more changes than can be named, lists are read as a whole', async () => {
    const { chats, page } = await openPage()
    chats.set('d', chat('d', 50))
    page.apply({ chat: 'many' })
    await vi.advanceTimersByTimeAsync(1)
    expect([page.shown(), page.reads.lists]).toEqual([['d', 'a', 'b', 'c'], 2])
    page.reset()
    await vi.advanceTimersByTimeAsync(1)
    expect([page.reads.lists, page.reads.rows]).toEqual([3, 0])
  })

  test('a change that arrives while the list is being read is not lost through the older response', async () => {
    const { chats, page } = await openPage()
    const { promise, resolve } = Promise.withResolvers<void>()
    const old = { chats: [...chats.values()], nextCursor: null }
    void page.client.fetchQuery({
      queryKey: ['chat', 'list', 'all'],
      staleTime: 0,
      queryFn: () => promise.then(() => old),
    })
    chats.set('d', chat('d', 50))
    page.apply({ chat: ['d'] })
    await vi.advanceTimersByTimeAsync(10)
    resolve()
    await vi.advanceTimersByTimeAsync(3 * ROWS_MS)
    expect(page.shown()).toEqual(['d', 'a', 'b', 'c'])
  })

  test('a hidden tab reads nothing, and everything once it is visible', async () => {
    const wire = { isHidden: true }
    const { chats, page } = await openPage(wire)
    const before = { ...page.reads }
    const changes: unknown[] = []
    page.onChange('chat', (named) => void changes.push(named), { always: true })
    for (const id of ['x', 'y']) {
      chats.set(id, chat(id, 50))
      page.apply({ chat: [id] })
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(page.reads).toEqual(before)
    expect(changes).toEqual([['x'], ['y']])
    wire.isHidden = false
    page.seen()
    await vi.advanceTimersByTimeAsync(1)
    expect([page.shown().slice(0, 2).sort(), page.counted()]).toEqual([['x', 'y'], 5])
    expect(page.reads.rows).toBe(before.rows + 1)
    wire.isHidden = true
    page.reset()
    await vi.advanceTimersByTimeAsync(1)
    expect(page.reads.lists).toBe(before.lists)
    wire.isHidden = false
    page.seen()
    await vi.advanceTimersByTimeAsync(1)
    expect(page.reads.lists).toBe(before.lists + 1)
  })

  test('fifty agents on a busy inbox cost less than a hundred reads a second, and all see the same', async () => {
    const CHATS = 400
    const SECONDS = 20
    const chats = new Map(
      Array.from({ length: CHATS }, (_, index) => [`c${index}`, chat(`c${index}`, index)]),
    )
    const agents = Array.from({ length: 50 }, (_, index) => {
      const page = newPage(chats)
      const open = `c${index}`
      let messages = 0
      page.onChange('message', (_ids, { chat: named = [] }) => {
        if (named === 'many' || named.includes(open)) messages++
      })
      return { page, messages: () => messages }
    })
    await vi.advanceTimersByTimeAsync(0)
    const read = () =>
      agents.reduce(
        (sum, { page: { reads }, messages }) => sum + reads.rows + reads.lists + reads.counts + messages(),
        0,
      )
    const readsBefore = read()
    // Twenty messages a second with three states each: eighty events, in frames of 150 ms.
    let time = CHATS
    for (let ms = 0; ms < SECONDS * 1_000; ms += 150) {
      const named = Array.from({ length: 12 }, () => `c${Math.floor(Math.random() * CHATS)}`)
      for (const id of named) chats.set(id, chat(id, time++))
      for (const { page } of agents) page.apply({ chat: named, message: named.map((id) => `m${id}${ms}`) })
      await vi.advanceTimersByTimeAsync(150)
    }
    const perSecond = (read() - readsBefore) / SECONDS
    console.log(`50 agents: ${perSecond.toFixed(1)} reads a second`)
    expect(perSecond).toBeLessThan(100)
    await vi.advanceTimersByTimeAsync(2 * LISTS_MS)
    const now = [...chats.values()].sort(order.compare).map(({ id }) => id)
    for (const { page } of agents) expect(page.shown()).toEqual(now)
  })
})
