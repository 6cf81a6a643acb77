import { expect, test } from 'vitest'
import { describeRateLimitStore } from '../../../test/support/rate-limit-suite.ts'
import { createMemoryStore } from './memory-store.ts'
import { takesFor } from './takes.ts'

describeRateLimitStore('memory', async () => createMemoryStore())

const START_MS = 1_790_000_000_000

test('full buckets are deleted, so that many short-lived callers leave little memory in use', () => {
  const store = createMemoryStore()
  for (let caller = 0; caller < 100_000; caller++)
    store.take(takesFor('lead-capture', `address-${caller}`), START_MS + caller * 100)
  expect(store.size()).toBeLessThan(200)
})

test('many callers cannot push out an empty bucket: at the cap, new callers wait', () => {
  const store = createMemoryStore({ maxBuckets: 100 })
  const spent = takesFor('broadcast-create', 'spender')
  for (let i = 0; i < 10; i++) store.take(spent, START_MS)
  for (let caller = 0; caller < 1000; caller++)
    store.take(takesFor('broadcast-create', `caller-${caller}`), START_MS)
  expect(store.size()).toBe(100)
  expect(store.take(spent, START_MS)).toMatchObject({ allowed: false, retryAfterSeconds: 360 })
  expect(store.take(takesFor('broadcast-create', 'newcomer'), START_MS)).toEqual({
    allowed: false,
    limit: 10,
    remaining: 0,
    resetSeconds: 1,
    retryAfterSeconds: 1,
  })
  const later = START_MS + 3_600_000
  for (let caller = 0; caller < 50; caller++)
    store.take(takesFor('broadcast-create', `late-${caller}`), later)
  expect(store.take(takesFor('broadcast-create', 'newcomer'), later)).toMatchObject({ allowed: true })
})
