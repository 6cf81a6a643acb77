import { expect, test } from 'vitest'
import { createKnownBuckets, type KnownBucket, learnDebt } from './known-buckets.ts'
import { addUnreported, newCall, readReply } from './redis-call.ts'
import { takesFor } from './takes.ts'

const takesOf = (caller: number) => takesFor('reads', `caller-${caller}`)

const at = (ms: number) => ({ sentMs: ms, heardMs: ms })

test('old knowledge of buckets is deleted, so many short-lived callers leave little memory in use', () => {
  const known = createKnownBuckets()
  for (let caller = 0; caller < 100_000; caller++) {
    const [take] = takesOf(caller)
    learnDebt(known.noteOf(take!, caller * 10) as KnownBucket, 0, at(caller * 10))
  }
  expect(known.size()).toBeLessThan(200)
})

test('at the cap new buckets are not kept; buckets in use stay', () => {
  const known = createKnownBuckets({ maxBuckets: 100 })
  for (let caller = 0; caller < 1000; caller++) {
    const [take] = takesOf(caller)
    const note = known.noteOf(take!, 0)
    expect(note !== undefined).toBe(caller < 100)
    if (note) learnDebt(note, 0, at(0))
  }
  expect(known.size()).toBe(100)
  const used = takesOf(7)
  expect(known.take(used, 0)).toMatchObject({ allowed: true, remaining: 599 })
  const [newcomer] = takesOf(5000)
  let kept: KnownBucket | undefined
  for (let i = 0; i < 100 && !kept; i++) kept = known.noteOf(newcomer!, 60_000)
  expect(kept).toBeDefined()
  for (let i = 0; i < 100; i++) known.noteOf(takesOf(6000 + i)[0]!, 60_000)
  expect(known.noteOf(used[0]!, 60_000)).toMatchObject({ unreported: 1 })
  expect(known.drainUnreported()).toHaveLength(1)
})

test('a refusal lasts only while it is certain, and reports the longest possible wait', () => {
  const known = createKnownBuckets()
  const takes = [{ key: 'late', burst: 60, refill: 1, perSeconds: 10 }]
  learnDebt(known.noteOf(takes[0]!, 0) as KnownBucket, 599_500, { sentMs: 1000, heardMs: 1600 })
  expect(known.take(takes, 1600)).toMatchObject({ allowed: false, retryAfterSeconds: 10 })
  expect(known.take(takes, 1499)).toMatchObject({ allowed: false, retryAfterSeconds: 10 })
  learnDebt(known.noteOf(takes[0]!, 0) as KnownBucket, 590_400, { sentMs: 1000, heardMs: 1700 })
  expect(known.take(takes, 1399), 'a token comes between 1400 and 2100').toMatchObject({
    allowed: false,
    retryAfterSeconds: 1,
  })
  expect(known.take(takes, 1400)).toBeUndefined()
})

test('a reply is combined with the tokens taken since its request', () => {
  const known = createKnownBuckets()
  const takes = [{ key: 'since', burst: 200, refill: 1, perSeconds: 60 }]
  const worth = 60_000
  learnDebt(known.noteOf(takes[0]!, 0) as KnownBucket, 0, at(0))
  for (const remaining of [199, 198]) expect(known.take(takes, 0)).toMatchObject({ remaining })
  const first = addUnreported(newCall(0), known.drainUnreported())
  expect(known.take(takes, 0)).toMatchObject({ remaining: 197 })
  const second = addUnreported(newCall(0), known.drainUnreported())
  expect(known.take(takes, 0)).toMatchObject({ remaining: 196 })
  // Another process took ten tokens.
  readReply(first, [12 * worth], at(0))
  expect(known.take(takes, 0)).toMatchObject({ remaining: 185 })
  readReply(second, [13 * worth], at(0))
  expect(known.take(takes, 0)).toMatchObject({ remaining: 184 })
})
