import { describe, expect, test } from 'vitest'
import { classifyError } from '../../../../operator/error-classes.ts'
import { UNREACHABLE, verdictOf, waitMs } from './verdict.ts'

const refused = (code: number, retryAfterSeconds: number | null = null) =>
  ({ kind: 'refused', error: classifyError({ code, message: 'no' }), retryAfterSeconds }) as const
const fresh = { tries: 1, ageMs: 0 }
const HOUR = 3_600_000

describe('the class of the answer decides the verdict', () => {
  test.each([4, 17, 32, 613, 80007, 130429, 131057, 2494100])('%i pauses the number', (code) => {
    expect(verdictOf(refused(code, 7), fresh)).toMatchObject({
      kind: 'again',
      hold: 'throttle',
      atLeastMs: 7_000,
    })
  })
  test.each([131048, 131064])('%i pauses the number for hours', (code) => {
    expect(verdictOf(refused(code), fresh)).toMatchObject({ kind: 'again', hold: 'quality' })
  })
  test('131056 pauses the recipient, 132069 the message', () => {
    expect(verdictOf(refused(131056), fresh)).toMatchObject({ kind: 'again', hold: 'pair' })
    expect(verdictOf(refused(132069), fresh)).toMatchObject({ kind: 'again', hold: 'message' })
  })
  test.each([1, 2, 131000, 131016, 133004, 134101])('%i is tried three more times', (code) => {
    for (const attempt of [1, 2, 3])
      expect(verdictOf(refused(code), { tries: attempt, ageMs: 0 })).toMatchObject({
        kind: 'again',
        hold: 'message',
      })
    expect(verdictOf(refused(code), { tries: 4, ageMs: 0 })).toMatchObject({ kind: 'failed' })
  })
  test.each([0, 190, 3, 10, 200, 210, 299, 131005])('%i disconnects the number', (code) => {
    expect(verdictOf(refused(code), fresh)).toMatchObject({ kind: 'disconnected' })
  })
  test.each([
    [0, 'disconnected'],
    [190, 'disconnected'],
    [3, 'failed'],
    [10, 'failed'],
    [200, 'failed'],
    [131005, 'failed'],
  ])('%i again, to the same message: %s', (code, kind) => {
    expect(verdictOf(refused(code), { tries: 2, ageMs: 0 })).toMatchObject({ kind })
  })
  test.each([3, 10, 200, 131005])(
    '%i to a campaign’s message pauses its campaign, and fails the message the second time',
    (code) => {
      const ofCampaign = { ...fresh, broadcastId: 'b' }
      expect(verdictOf(refused(code), ofCampaign)).toMatchObject({
        kind: 'campaign_refused',
        broadcastId: 'b',
      })
      expect(verdictOf(refused(code), { ...ofCampaign, tries: 2 })).toMatchObject({ kind: 'failed' })
      expect(verdictOf(refused(190), ofCampaign)).toMatchObject({ kind: 'disconnected' })
    },
  )
  test('131005 to a message about a payment concerns only that message', () => {
    expect(verdictOf(refused(131005), { ...fresh, isOrder: true })).toMatchObject({
      kind: 'failed',
      blocks: undefined,
    })
    expect(verdictOf(refused(10), { ...fresh, isOrder: true })).toMatchObject({ kind: 'disconnected' })
  })
  test.each([
    [131031, 'number_banned'],
    [368, 'sending_blocked'],
    [130497, 'sending_blocked'],
    [131042, 'sending_blocked'],
    [131037, 'sending_blocked'],
    [131045, 'sending_blocked'],
    [133010, 'sending_blocked'],
  ])('%i fails the message and blocks the number: %s', (code, blocks) => {
    expect(verdictOf(refused(code), fresh)).toMatchObject({ kind: 'failed', blocks })
  })
  test.each([
    131026, 131047, 131049, 131050, 130472, 131021, 131062, 100, 131009, 132000, 132015, 134011, 99999,
  ])('%i fails the message and nothing else', (code) => {
    expect(verdictOf(refused(code), fresh)).toMatchObject({ kind: 'failed', blocks: undefined })
  })
  test('a message that never reached the operator is tried again, a message that may have reached it is not', () => {
    expect(verdictOf({ kind: 'not_sent', reason: 'x' }, fresh)).toMatchObject({
      kind: 'again',
      hold: 'unreachable',
    })
    expect(verdictOf({ kind: 'unknown', reason: 'x' }, fresh)).toMatchObject({ kind: 'unknown' })
  })
  test('after 24 hours nothing is tried again', () => {
    const old = { tries: 1, ageMs: 25 * HOUR }
    for (const code of [130429, 131048, 131056, 131016, 190])
      expect(verdictOf(refused(code), old)).toMatchObject({ kind: 'failed', error: { code } })
    expect(verdictOf({ kind: 'not_sent', reason: 'x' }, old)).toMatchObject({
      kind: 'failed',
      error: UNREACHABLE,
    })
  })
})

test('waits get longer, and end', () => {
  const waits = (hold: Parameters<typeof waitMs>[0], count: number) =>
    Array.from({ length: count }, (_, i) => waitMs(hold, i)).map((ms) => ms && ms / 1000)
  expect(waits('message', 4)).toEqual([1, 5, 30, undefined])
  expect(waits('pair', 7)).toEqual([4, 16, 64, 256, 1024, 1200, 1200])
  expect(waits('throttle', 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
  expect(waits('unreachable', 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  expect(waits('quality', 6).map((s) => s! / 3600)).toEqual([1, 2, 4, 8, 12, 12])
})
