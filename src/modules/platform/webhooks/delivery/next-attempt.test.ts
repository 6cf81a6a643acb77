import { expect, test } from 'vitest'
import type { DueDelivery, Outcome, Result } from './attempt.ts'
import { nextRunOf } from './next-attempt.ts'

const endedAt = new Date('2026-06-10T12:00:00Z')
const URL = 'https://shop.example/hooks'
const result = (delivery: Partial<DueDelivery>, outcome: Partial<Outcome> = {}): Result => ({
  delivery: { attempt: 1, manual: false, data: '{}', ...delivery } as DueDelivery,
  outcome: { ok: false, gone: false, request: { url: URL, headers: {} }, ...outcome } as Outcome,
  endedAt,
})
const waitSeconds = (result: Result, url?: string) => {
  const nextRun = nextRunOf(result, url)
  return nextRun && (nextRun.getTime() - endedAt.getTime()) / 1_000
}

test('a failed attempt is followed by the next one after the wait for its number, up to the twelfth (spec 6.1)', () => {
  expect(waitSeconds(result({ attempt: 1 }))).toSatisfy((s: number) => s >= 4.5 && s <= 5.5)
  expect(waitSeconds(result({ attempt: 11 }))).toSatisfy((s: number) => s >= 19_440 && s <= 23_760)
  expect(waitSeconds(result({ attempt: 12 }))).toBeNull()
})

test('no attempt follows a success, a manual redelivery, or a delivery without data', () => {
  expect(waitSeconds(result({}, { ok: true }))).toBeNull()
  expect(waitSeconds(result({ manual: true }))).toBeNull()
  expect(waitSeconds(result({ data: null }))).toBeNull()
})

test('a 410 ends the delivery, unless the endpoint has moved since (spec 6.1)', () => {
  expect(waitSeconds(result({}, { gone: true }), URL)).toBeNull()
  expect(waitSeconds(result({}, { gone: true }), 'https://shop.example/new')).toBeGreaterThan(0)
})
