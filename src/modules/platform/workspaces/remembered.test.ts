import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MINUTE_MS, systemClock } from '../../../core/clock.ts'
import type { Query } from '../../../core/context.ts'
import { createDirectory } from './directory.ts'
import { rememberLookups } from './remembered.ts'

type Found = { workspaceId: string } | undefined
const lookups = (clock = systemClock, maxEntries?: number) =>
  rememberLookups<Found>(
    clock,
    () => MINUTE_MS,
    (_, found) => found?.workspaceId,
    maxEntries,
  )
const loaderOf = (workspaceId: string) => async () => ({ workspaceId })

test('a look-up without a result is not kept', async () => {
  const memory = lookups()
  for (let i = 0; i < 1000; i++) await memory.get(randomUUID(), async () => undefined)
  expect(memory.size()).toEqual({ entries: 0, workspaces: 0 })
})

test('neither is a failed look-up', async () => {
  const memory = lookups()
  const failing = memory.get('a', () => Promise.reject(new Error('away')))
  await expect(failing).rejects.toThrow('away')
  expect(memory.size()).toEqual({ entries: 0, workspaces: 0 })
})

test('a workspace whose last look-up is evicted is dropped too', async () => {
  const memory = lookups(systemClock, 10)
  for (let i = 0; i < 100; i++) await memory.get(`key ${i}`, loaderOf(`workspace ${i}`))
  expect(memory.size()).toEqual({ entries: 10, workspaces: 10 })
  expect([memory.has('key 89'), memory.has('key 90')]).toEqual([false, true])
})

test('a repeated look-up that then finds nothing is dropped', async () => {
  let nowMs = 0
  const memory = lookups({ ...systemClock, monotonicMs: () => nowMs })
  await memory.get('a', loaderOf('w'))
  nowMs = MINUTE_MS
  expect(memory.has('a')).toBe(false)
  await memory.get('a', async () => undefined)
  expect(memory.size()).toEqual({ entries: 0, workspaces: 0 })
})

test('an expired look-up that is not requested again uses no memory', async () => {
  let nowMs = 0
  const memory = lookups({ ...systemClock, monotonicMs: () => nowMs })
  for (let i = 0; i < 1000; i++) await memory.get(`key ${i}`, loaderOf(`workspace ${i}`))
  nowMs = MINUTE_MS - 1
  await memory.get('key 7', loaderOf('workspace 7'))
  await memory.get('late', loaderOf('workspace 1000'))
  expect(memory.size()).toEqual({ entries: 1001, workspaces: 1001 })
  nowMs = MINUTE_MS
  await memory.get('later', loaderOf('workspace 1001'))
  expect(memory.size()).toEqual({ entries: 2, workspaces: 2 })
  expect([memory.has('key 7'), memory.has('late'), memory.has('later')]).toEqual([false, true, true])
})

test('dropping a workspace drops all its look-ups, and nothing else', async () => {
  const memory = lookups()
  for (const [key, workspaceId] of [
    ['a', 'w'],
    ['b', 'w'],
    ['c', 'v'],
  ] as const)
    await memory.get(key, loaderOf(workspaceId))
  memory.forget('w')
  expect(memory.size()).toEqual({ entries: 1, workspaces: 1 })
  expect([memory.has('a'), memory.has('c')]).toEqual([false, true])
})

test('the directory keeps no workspace that does not exist', async () => {
  let lookupCount = 0
  const nothing: Query = async () => {
    lookupCount++
    return []
  }
  const directory = createDirectory(nothing, systemClock)
  directory.setListening(true)
  const id = randomUUID()
  for (let i = 0; i < 2; i++) {
    expect(await directory.numbers(id)).toEqual([])
    expect(await directory.workspace(id)).toBeUndefined()
  }
  expect(lookupCount, 'each asked again').toBe(4)
})
