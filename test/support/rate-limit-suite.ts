import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RateLimitStore, Take, Verdict } from '../../src/http/rate-limit/port.ts'
import { halfTaken, takesFor } from '../../src/http/rate-limit/takes.ts'

const START_MS = 1_790_000_000_123

/** The rules for every rate-limit store. The stores use the time passed to `take`. */
export function describeRateLimitStore(name: string, makeStore: () => Promise<RateLimitStore>) {
  let testNumber = 0
  async function withStore(run: (store: RateLimitStore, owner: string) => Promise<void>) {
    const store = await makeStore()
    try {
      await run(store, `${name}-${testNumber++}`)
    } finally {
      await store.close()
    }
  }

  describe(`rate limits in ${name}`, () => {
    test('a full bucket allows its burst back-to-back and then refuses', () =>
      withStore(async (store, owner) => {
        const takes = takesFor('contact-erasure', owner)
        for (let left = 19; left >= 0; left--)
          expect(await store.take(takes, START_MS)).toEqual({
            allowed: true,
            limit: 20,
            remaining: left,
            resetSeconds: (20 - left) * 3,
            retryAfterSeconds: 0,
          })
        const refused = { allowed: false, limit: 20, remaining: 0, resetSeconds: 60, retryAfterSeconds: 3 }
        expect(await store.take(takes, START_MS)).toEqual(refused)
        expect(await store.take(takes, START_MS), 'a refusal costs nothing').toEqual(refused)
      }))

    test('a bucket refills at its speed, to the millisecond, and never past its size', () =>
      withStore(async (store, owner) => {
        const takes = takesFor('contact-erasure', owner)
        for (let i = 0; i < 20; i++) await store.take(takes, START_MS)
        expect(await store.take(takes, START_MS + 999)).toMatchObject({ retryAfterSeconds: 3 })
        for (const almost of [2999, 2999.9])
          expect(await store.take(takes, START_MS + almost)).toMatchObject({
            allowed: false,
            retryAfterSeconds: 1,
          })
        expect(await store.take(takes, START_MS + 3000)).toMatchObject({
          allowed: true,
          remaining: 0,
          resetSeconds: 60,
        })
        expect(await store.take(takes, START_MS + 3001)).toMatchObject({
          allowed: false,
          retryAfterSeconds: 3,
        })
        expect(await store.take(takes, START_MS + 10_000_000)).toMatchObject({
          remaining: 19,
          resetSeconds: 3,
        })
      }))

    test('with several keys each key may use at most half of the bucket (spec 8.1, rule 1)', () =>
      withStore(async (store, owner) => {
        const allowed = { first: 0, second: 0, third: 0 }
        for (const key of ['first', 'second', 'third'] as const)
          for (let i = 0; i < 120; i++)
            if ((await store.take(takesFor('contact-writes', owner, key), START_MS)).allowed) allowed[key]++
        expect(allowed).toEqual({ first: 60, second: 60, third: 0 })
        const afterSecond = START_MS + 1000
        let refilled = 0
        for (let i = 0; i < 20; i++)
          if ((await store.take(takesFor('contact-writes', owner, 'first'), afterSecond)).allowed) refilled++
        expect(refilled, 'half of the refill too').toBe(5)
      }))

    test('half of an odd bucket is rounded down', () => {
      expect(halfTaken({ key: 'k', burst: 5, refill: 5, perSeconds: 3600 })).toMatchObject({
        burst: 2,
        refill: 5,
        perSeconds: 7200,
      })
      expect(halfTaken({ key: 'k', burst: 1, refill: 1, perSeconds: 1 }).burst).toBe(1)
    })

    test('the result describes the bucket closest to empty', () =>
      withStore(async (store, owner) => {
        const takeForKey = (key: string) => store.take(takesFor('broadcast-cancel', owner, key), START_MS)
        expect(await takeForKey('a')).toMatchObject({ limit: 15, remaining: 14, resetSeconds: 4 })
        for (let i = 0; i < 14; i++) await takeForKey('a')
        for (let i = 0; i < 12; i++) await takeForKey('b')
        expect(await takeForKey('c'), 'the workspace has 2 left, the key 14').toMatchObject({
          limit: 30,
          remaining: 2,
          resetSeconds: 56,
        })
        expect(await takeForKey('a')).toEqual({
          allowed: false,
          limit: 15,
          remaining: 0,
          resetSeconds: 60,
          retryAfterSeconds: 4,
        })
      }))

    test('a refusal by one bucket takes nothing from the others', () =>
      withStore(async (store, owner) => {
        for (let i = 0; i < 40; i++) await store.take(takesFor('broadcast-cancel', owner, 'a'), START_MS)
        expect(await store.take(takesFor('broadcast-cancel', owner), START_MS)).toMatchObject({
          remaining: 14,
        })
      }))

    test("workspaces and buckets don't affect each other", () =>
      withStore(async (store, owner) => {
        for (let i = 0; i < 40; i++) await store.take(takesFor('payments', owner), START_MS)
        expect(await store.take(takesFor('payments', `${owner}-other`), START_MS)).toMatchObject({
          remaining: 29,
        })
        expect(await store.take(takesFor('social-live', owner), START_MS)).toMatchObject({ remaining: 29 })
      }))

    test('100 concurrent takes never admit more than the burst', () =>
      withStore(async (store, owner) => {
        const verdicts = await Promise.all(
          Array.from({ length: 100 }, async () => store.take(takesFor('social-posts', owner), START_MS)),
        )
        expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(60)
        expect(new Set(verdicts.filter((v) => v.allowed).map((v) => v.remaining)).size).toBe(60)
      }))

    test('a clock that was set back refuses for no longer than one refill', () =>
      withStore(async (store, owner) => {
        for (let i = 0; i < 40; i++) await store.take(takesFor('lead-capture', owner), START_MS)
        const earlierMs = START_MS - 86_400_000
        expect(await store.take(takesFor('lead-capture', owner), earlierMs)).toMatchObject({
          allowed: false,
          retryAfterSeconds: 2,
          resetSeconds: 60,
        })
        expect(await store.take(takesFor('lead-capture', owner), earlierMs + 2_000)).toMatchObject({
          allowed: true,
        })
        expect(await store.take(takesFor('lead-capture', owner), earlierMs + 60_000)).toMatchObject({
          allowed: true,
          remaining: 28,
        })
      }))

    test('any history agrees with a plain model of the buckets, even when several requests arrive together', () =>
      withStore(async (store, owner) => {
        let run = 0
        const request = fc.record({
          workspace: fc.constantFrom('one', 'another'),
          key: fc.constantFrom(undefined, 'a', 'b'),
        })
        const step = fc.record({
          waitMs: fc.oneof(fc.constant(0), fc.nat(5000)),
          requests: fc.array(request, { minLength: 1, maxLength: 8 }),
        })
        const size = fc.record({
          burst: fc.integer({ min: 1, max: 6 }),
          refill: fc.integer({ min: 1, max: 7 }),
          perSeconds: fc.integer({ min: 1, max: 3 }),
        })
        await fc.assert(
          fc.asyncProperty(size, fc.array(step, { maxLength: 20 }), async (bucket, steps) => {
            const model = makeModel()
            const ofRun = `${owner}-${run++}`
            let nowMs = START_MS
            for (const { waitMs, requests } of steps) {
              nowMs += waitMs
              const checks = requests.map(({ workspace, key }) => {
                const workspaceBucket = { key: `{${ofRun}-${workspace}}`, ...bucket }
                return key === undefined
                  ? [workspaceBucket]
                  : [workspaceBucket, { ...halfTaken(workspaceBucket), key: `${workspaceBucket.key}:${key}` }]
              })
              const verdicts = await Promise.all(checks.map(async (takes) => store.take(takes, nowMs)))
              expect(verdicts).toEqual(checks.map((takes) => model(takes, nowMs)))
            }
          }),
          { numRuns: 200 },
        )
      }))
  })
}

/** A model of token buckets from the textbook definition, in exact fractions of a token. */
function makeModel() {
  const buckets = new Map<string, { tokens: bigint; atMs: number }>()
  return (takes: Take[], nowMs: number): Verdict => {
    const states = takes.map(({ key, burst, refill, perSeconds }) => {
      const unit = BigInt(perSeconds * 1000)
      const full = BigInt(burst) * unit
      const state = buckets.get(key) ?? { tokens: full, atMs: nowMs }
      const refilled = state.tokens + BigInt(nowMs - state.atMs) * BigInt(refill)
      return { key, burst, refill, unit, full, tokens: refilled < full ? refilled : full }
    })
    const allowed = states.every(({ tokens, unit }) => tokens >= unit)
    const waits = states.map(
      ({ tokens, unit, refill }) => Number(tokens >= unit ? 0n : unit - tokens) / refill,
    )
    if (allowed) for (const state of states) state.tokens -= state.unit
    for (const { key, tokens } of states) buckets.set(key, { tokens, atMs: nowMs })
    const described = states
      .map(({ burst, tokens, unit, full, refill }) => ({
        limit: burst,
        left: Number(tokens) / Number(unit),
        remaining: Number(tokens / unit),
        resetSeconds: Math.ceil(Number(full - tokens) / refill / 1000),
      }))
      .sort((a, b) => a.left - b.left || b.resetSeconds - a.resetSeconds)[0]!
    const { limit, remaining, resetSeconds } = described
    return {
      allowed,
      limit,
      remaining,
      resetSeconds,
      retryAfterSeconds: Math.ceil(Math.max(...waits) / 1000),
    }
  }
}
