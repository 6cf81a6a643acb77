import { expect, test } from 'vitest'
import { idAfter, idAt, idMaker, isUuid7, timeOfId } from './ids.ts'

const MS = Date.UTC(2026, 0, 31, 12)

test('ids are UUIDs of version 7 that contain their creation time', () => {
  const makeId = idMaker(() => MS)
  const ids = Array.from({ length: 10_000 }, makeId)
  expect(ids.filter((id) => !isUuid7(id))).toEqual([])
  expect(new Set(ids.map((id) => timeOfId(id).getTime()))).toEqual(new Set([MS]))
})

test('ids increase strictly: within a millisecond, from one to the next, and while the clock is behind', () => {
  let nowMs = 0
  const makeId = idMaker(() => nowMs)
  const steps = [MS, MS, MS + 1, MS - 30_000, MS + 1, MS + 2].map((ms) => {
    nowMs = ms
    return Array.from({ length: 20_000 }, makeId)
  })
  const ids = steps.flat()
  expect(ids.filter((id, i) => i > 0 && id <= ids[i - 1]!)).toEqual([])
  expect(steps.map(([id]) => timeOfId(id!).getTime() - MS)).toEqual([0, 0, 1, 1, 1, 2])
})

test('the last 42 bits of ids of one millisecond are random: every digit occurs in every position about equally often', () => {
  const ids = Array.from(
    { length: 4_000 },
    idMaker(() => MS),
  )
  const counts = Array.from({ length: 10 }, () => new Map<string, number>())
  for (const id of ids)
    for (const [i, digit] of id.slice(26).split('').entries())
      counts[i]!.set(digit, (counts[i]!.get(digit) ?? 0) + 1)
  // The mean is 250; a difference of eight standard deviations practically never happens.
  for (const digitCounts of counts) {
    expect(digitCounts.size).toBe(16)
    for (const count of digitCounts.values()) expect(Math.abs(count - 250)).toBeLessThan(125)
  }
  // The two bits after the sequence are random too.
  expect(new Set(ids.map((id) => Number.parseInt(id.slice(24, 26), 16) & 3)).size).toBe(4)
})

test('no id of a millisecond is less than its first id, and ids after another keep their distance', () => {
  const id = idMaker(() => MS)()
  expect(idAt(new Date(MS)) <= id).toBe(true)
  expect(idAt(new Date(MS + 1)) > id).toBe(true)
  expect(isUuid7(idAt(new Date(MS)))).toBe(true)
  expect([idAfter(id, 0), idAfter(id, 3) > id]).toEqual([id, true])
})
