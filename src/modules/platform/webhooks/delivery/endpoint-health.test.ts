import { describe, expect, test } from 'vitest'
import { DAY_MS, later, SECOND_MS } from '../../../../core/clock.ts'
import { type Ended, FAILING_DELIVERIES, type Health, healthAfter } from './endpoint-health.ts'

const now = new Date('2026-06-10T12:00:00Z')
const sound: Health = { active: true, failures: 0, failingSince: null }
const failed = (count: number): Ended => ({ failed: count, ok: false, gone: false, first: now, last: now })
const healthOf = (before: Partial<Health>, ended: Partial<Ended>, chance = 0.5) =>
  healthAfter({ ...sound, ...before }, { ...failed(1), ...ended }, now, chance)

describe('an endpoint', () => {
  test('counts its failures, and the time of the first', () => {
    const first = later(now, -SECOND_MS)
    expect(healthOf({}, { failed: 3, first })).toEqual({
      failures: 3,
      failingSince: first,
      probeAt: null,
      offReason: null,
    })
    expect(healthOf({ failures: 3, failingSince: first }, { failed: 2 })).toMatchObject({
      failures: 5,
      failingSince: first,
    })
  })

  test('is healthy again after one success, despite failures in the same batch', () => {
    const before = { failures: 15, failingSince: later(now, -4 * DAY_MS) }
    const healthy = { failures: 0, failingSince: null, probeAt: null, offReason: null }
    expect(healthOf(before, { failed: 0, ok: true })).toEqual(healthy)
    expect(healthOf(before, { failed: 12, ok: true })).toEqual(healthy)
  })

  test('is probed from the tenth failure in a row on, after 1, 2, 4 … and at most 60 seconds', () => {
    const waitMinutes = [9, 10, 11, 12, 15, 16, 40].map((failures) => {
      const { probeAt } = healthOf({ failures: failures - 1 }, { failed: 1 })
      return probeAt && (probeAt.getTime() - now.getTime()) / SECOND_MS
    })
    expect(waitMinutes).toEqual([null, 1, 2, 4, 32, 60, 60])
  })

  test('is probed up to a tenth earlier or later at random, to spread the load', () => {
    const probeAt = (chance: number) => healthOf({ failures: 11 }, { failed: 1 }, chance).probeAt
    expect([probeAt(0), probeAt(1)]).toEqual([later(now, 3_600), later(now, 4_400)])
  })

  test('is disabled when all deliveries of three days failed, and at least twenty (spec 6.1)', () => {
    const disabled = { offReason: 'Every delivery of the last 3 days failed.' }
    const failingSince = later(now, -3 * DAY_MS)
    const nineteen = FAILING_DELIVERIES - 1
    expect(healthOf({ failures: nineteen, failingSince }, { failed: 1 })).toMatchObject(disabled)
    expect(healthOf({ failures: nineteen - 1, failingSince }, { failed: 1 }).offReason).toBeNull()
    expect(
      healthOf({ failures: 500, failingSince: later(failingSince, 1) }, { failed: 1 }).offReason,
    ).toBeNull()
  })

  test('is disabled by a 410 immediately, even with successes in the same batch (spec 6.1)', () => {
    const disabled = { failures: 1, offReason: 'The receiver answered 410 (Gone), which stops deliveries.' }
    expect(healthOf({}, { gone: true })).toMatchObject(disabled)
    expect(healthOf({}, { gone: true, ok: true })).toMatchObject(disabled)
  })

  test('is not disabled if it is already paused', () => {
    expect(healthOf({ active: false }, { gone: true }).offReason).toBeNull()
    expect(
      healthOf({ active: false, failures: 50, failingSince: later(now, -9 * DAY_MS) }, {}).offReason,
    ).toBeNull()
  })
})
