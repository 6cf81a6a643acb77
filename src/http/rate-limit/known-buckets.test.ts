import { expect, test } from 'vitest'
import { createKnownBuckets, type KnownBucket, updateDebt } from './known-buckets.ts'
import { addUnreported, newCall, readReply } from './redis-call.ts'
import { takesFor } from './takes.ts'

const takesOf = (caller: number) => takesFor('reads', `caller-${caller}`)

const timesAt = (ms: number) => ({ sentMs: ms, heardMs: ms })

test('old knowledge of buckets is deleted, so that many short-lived callers leave little memory in use', () => {
  const knownBuckets = createKnownBuckets()
  for (let caller = 0; caller < 100_000; caller++) {
    const [take] = takesOf(caller)
    updateDebt(knownBuckets.bucketFor(take!, caller * 10) as KnownBucket, 0, timesAt(caller * 10))
  }
  expect(knownBuckets.size()).toBeLessThan(200)
})

test('at the cap new buckets are not kept; buckets in use stay', () => {
  const knownBuckets = createKnownBuckets({ maxBuckets: 100 })
  for (let caller = 0; caller < 1000; caller++) {
    const [take] = takesOf(caller)
    const note = knownBuckets.bucketFor(take!, 0)
    expect(note !== undefined).toBe(caller < 100)
    if (note) updateDebt(note, 0, timesAt(0))
  }
  expect(knownBuckets.size()).toBe(100)
  const used = takesOf(7)
  expect(knownBuckets.take(used, 0)).toMatchObject({ allowed: true, remaining: 599 })
  const [newcomer] = takesOf(5000)
  let bucket: KnownBucket | undefined
  for (let i = 0; i < 100 && !bucket; i++) bucket = knownBuckets.bucketFor(newcomer!, 60_000)
  expect(bucket).toBeDefined()
  for (let i = 0; i < 100; i++) knownBuckets.bucketFor(takesOf(6000 + i)[0]!, 60_000)
  expect(knownBuckets.bucketFor(used[0]!, 60_000)).toMatchObject({ unreported: 1 })
  expect(knownBuckets.drainUnreported()).toHaveLength(1)
})

test('a refusal lasts only while it is certain, and reports the longest possible wait', () => {
  const knownBuckets = createKnownBuckets()
  const takes = [{ key: 'late', burst: 60, refill: 1, perSeconds: 10 }]
  updateDebt(knownBuckets.bucketFor(takes[0]!, 0) as KnownBucket, 599_500, { sentMs: 1000, heardMs: 1600 })
  expect(knownBuckets.take(takes, 1600)).toMatchObject({ allowed: false, retryAfterSeconds: 10 })
  expect(knownBuckets.take(takes, 1499)).toMatchObject({ allowed: false, retryAfterSeconds: 10 })
  updateDebt(knownBuckets.bucketFor(takes[0]!, 0) as KnownBucket, 590_400, { sentMs: 1000, heardMs: 1700 })
  expect(knownBuckets.take(takes, 1399), 'a token comes between 1400 and 2100').toMatchObject({
    allowed: false,
    retryAfterSeconds: 1,
  })
  expect(knownBuckets.take(takes, 1400)).toBeUndefined()
})

test('a reply is combined with the tokens taken since its request', () => {
  const knownBuckets = createKnownBuckets()
  const takes = [{ key: 'since', burst: 200, refill: 1, perSeconds: 60 }]
  const worth = 60_000
  updateDebt(knownBuckets.bucketFor(takes[0]!, 0) as KnownBucket, 0, timesAt(0))
  for (const remaining of [199, 198]) expect(knownBuckets.take(takes, 0)).toMatchObject({ remaining })
  const first = addUnreported(newCall(0), knownBuckets.drainUnreported())
  expect(knownBuckets.take(takes, 0)).toMatchObject({ remaining: 197 })
  const second = addUnreported(newCall(0), knownBuckets.drainUnreported())
  expect(knownBuckets.take(takes, 0)).toMatchObject({ remaining: 196 })
  // Another process took ten tokens.
  readReply(first, [12 * worth], timesAt(0))
  expect(knownBuckets.take(takes, 0)).toMatchObject({ remaining: 185 })
  readReply(second, [13 * worth], timesAt(0))
  expect(knownBuckets.take(takes, 0)).toMatchObject({ remaining: 184 })
})
