import { expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import type { Query } from '../../core/context.ts'
import { createDirectory } from './directory.ts'

test('a request after a change never gets the result of a look-up that began before it', async () => {
  const looks: ((rows: object[]) => void)[] = []
  // A slow database in which each look-up returns the state at its start.
  const query: Query = <Row>() =>
    new Promise<Row[]>((resolve) => looks.push((rows) => resolve(rows as Row[])))
  const directory = createDirectory(query, systemClock)
  directory.setListening(true)
  const before = directory.workspace('w')
  const during = directory.workspace('w')
  await expect.poll(() => looks.length).toBe(1)
  directory.forget('w')
  const after = directory.workspace('w')
  await expect.poll(() => looks.length).toBe(2)
  looks[1]!([{ id: 'w', name: 'New', plan: 'pro' }])
  looks[0]!([{ id: 'w', name: 'Old', plan: 'pro' }])
  expect((await Promise.all([before, during, after])).map((workspace) => workspace?.name)).toEqual([
    'Old',
    'Old',
    'New',
  ])
  expect((await directory.workspace('w'))?.name, 'what is remembered').toBe('New')
  expect(looks).toHaveLength(2)
})

test('parallel look-ups of keys share two statements, and each gets its own key', async () => {
  const hashOf = (byte: number) => Buffer.alloc(32, byte)
  const rows = [1, 2, 3].map((byte) => ({ hash: hashOf(byte), id: `w${byte}`, name: 'Shop', plan: 'pro' }))
  let looks = 0
  const query: Query = async <Row>() => {
    looks++
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
  expect(looks).toBe(2)
})
