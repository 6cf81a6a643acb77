import { expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import type { Query } from '../../../core/context.ts'
import { createDirectory } from './directory.ts'

test('a request after a change never gets the result of a look-up that began before it', async () => {
  const pendingLookups: ((rows: object[]) => void)[] = []
  // A slow database in which each look-up returns the state at its start.
  const query: Query = <Row>() =>
    new Promise<Row[]>((resolve) => pendingLookups.push((rows) => resolve(rows as Row[])))
  const directory = createDirectory(query, systemClock)
  directory.setListening(true)
  const before = directory.workspace('w')
  const during = directory.workspace('w')
  await expect.poll(() => pendingLookups.length).toBe(1)
  directory.forget('w')
  const after = directory.workspace('w')
  await expect.poll(() => pendingLookups.length).toBe(2)
  pendingLookups[1]!([{ id: 'w', name: 'New', plan: 'pro' }])
  pendingLookups[0]!([{ id: 'w', name: 'Old', plan: 'pro' }])
  expect((await Promise.all([before, during, after])).map((workspace) => workspace?.name)).toEqual([
    'Old',
    'Old',
    'New',
  ])
  expect((await directory.workspace('w'))?.name, 'what is remembered').toBe('New')
  expect(pendingLookups).toHaveLength(2)
})

test('parallel look-ups of keys share two statements, and each gets its own key', async () => {
  const hashOf = (byte: number) => Buffer.alloc(32, byte)
  const rows = [1, 2, 3].map((byte) => ({ hash: hashOf(byte), id: `w${byte}`, name: 'Shop', plan: 'pro' }))
  let lookupCount = 0
  const query: Query = async <Row>() => {
    lookupCount++
    return rows as Row[]
  }
  const directory = createDirectory(query, systemClock)
  const found = await Promise.all(
    [2, 4, 1, 5, 3, 6, 7, 8].map((byte) => directory.key(hashOf(byte), () => true)),
  )
  expect(found.map((result) => result?.workspace.id).slice(0, 5)).toEqual([
    'w2',
    undefined,
    'w1',
    undefined,
    'w3',
  ])
  expect(lookupCount).toBe(2)
})
