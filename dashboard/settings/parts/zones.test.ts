import { expect, test } from 'vitest'
import { listZones, offsetOf, titleOfZone } from './zones.ts'

test('every zone is listed once, by its current name', () => {
  const zones = listZones([])
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/New_York', 'UTC']))
  expect(zones).not.toContain('Asia/Calcutta')
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).toEqual(zones.toSorted())
})

test("a workspace's own name of a zone stays, and an unknown name is left out", () => {
  const zones = listZones(['Asia/Calcutta', 'Mars/Olympus'])
  expect(zones).toContain('Asia/Calcutta')
  expect(zones).not.toContain('Asia/Kolkata')
  expect(zones).not.toContain('Mars/Olympus')
})

test.each([
  ['Asia/Kolkata', '2026-06-01T00:00:00Z', 'GMT+05:30'],
  ['America/New_York', '2026-06-01T00:00:00Z', 'GMT-04:00'],
  ['America/New_York', '2026-12-01T00:00:00Z', 'GMT-05:00'],
  ['Mars/Olympus', '2026-06-01T00:00:00Z', ''],
])('the offset of %s at %s is "%s"', (zone, time, offset) => {
  expect(offsetOf(zone, Date.parse(time))).toBe(offset)
})

test('the name has spaces for people', () => {
  expect(titleOfZone('America/New_York')).toBe('America/New York')
})
