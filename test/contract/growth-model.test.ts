/** The model of a cell's capacity agrees with measurements, and docs/growing.md has its tables. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { capacityOf, POINTS, predictOneWorkspace, predictSends } from '../../bench/model/capacity.ts'
import { analyze } from '../../bench/model/queueing.ts'
import { withModel } from '../../bench/model/tables.ts'

const PAGE = join(import.meta.dirname, '../../docs/growing.md')
const AGREES_WITHIN = 0.1

test.each(POINTS)('the model agrees with the measured $label', ({ measured, predicted }) => {
  expect(Math.abs(predicted / measured - 1)).toBeLessThan(AGREES_WITHIN)
})

test('the measured points are those of docs/speed.md', () => {
  const speed = readFileSync(join(PAGE, '../speed.md'), 'utf8')
  for (const { measured } of POINTS) expect(speed).toContain(measured.toLocaleString('en-US'))
})

test('docs/growing.md has the tables of the model: npm run bench -- --model', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(withModel(page)).toBe(page)
})

describe('mean value analysis', () => {
  test('one batch meets no other: a round is the sum of all times', () => {
    const { roundUs, perSecond } = analyze(
      [
        { busyUs: 100, servers: 1 },
        { busyUs: 300, servers: 1 },
      ],
      600,
      1,
    )
    expect([roundUs, perSecond]).toEqual([1_000, 1_000])
  })

  test('many batches fill the slowest station', () => {
    const stations = [
      { busyUs: 100, servers: 1 },
      { busyUs: 300, servers: 1 },
    ]
    expect(analyze(stations, 0, 100).perSecond).toBeCloseTo(1_000_000 / 300, 0)
    const faster = [stations[0]!, { busyUs: 300, servers: 4 }]
    expect(analyze(faster, 0, 200).perSecond).toBeCloseTo(1_000_000 / 100, 0)
  })
})

test('more connections, more cores, and faster disks never make a cell slower', () => {
  for (let connections = 1; connections < 512; connections *= 2)
    expect(predictSends(connections * 2)).toBeGreaterThan(predictSends(connections))
  expect(capacityOf({ databaseCores: 8, endpoints: 2 }).messagesPerDay).toBeCloseTo(
    2 * capacityOf({ databaseCores: 4, endpoints: 2 }).messagesPerDay,
  )
  expect(predictOneWorkspace({ diskUs: 500 })).toBeGreaterThan(predictOneWorkspace({ diskUs: 5_000 }))
})
