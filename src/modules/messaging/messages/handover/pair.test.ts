import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admit, holdBack, isIdle, newPair, type Pair, takeNextWaiting, type Waiting } from './pair.ts'

const SECOND = 1000

/** Simulates a recipient's queue in the database, and a lane that fetches from it every second. */
function play(arrivals: number[], refusedFor: number[]) {
  const queue: Waiting[] = []
  const sent: { id: string; atMs: number }[] = []
  const refusals = [...refusedFor]
  let pair: Pair = newPair()
  const waitingAt = (i: number): Waiting => ({
    workspaceId: '',
    conversationId: '',
    id: String(i).padStart(5, '0'),
    runAtMs: arrivals[i]!,
  })
  const putOff = (message: Waiting, untilMs: number) => queue.push({ ...message, runAtMs: untilMs })
  let arrived = 0
  for (let nowMs = 0; sent.length < arrivals.length && nowMs < 100_000 * SECOND; nowMs += SECOND) {
    while (arrived < arrivals.length && arrivals[arrived]! <= nowMs) queue.push(waitingAt(arrived++))
    const due = queue
      .filter((waiting) => waiting.runAtMs <= nowMs)
      .sort((a, b) => a.runAtMs - b.runAtMs || (a.id < b.id ? -1 : 1))
    for (const message of due) queue.splice(queue.indexOf(message), 1)
    let next: Waiting | undefined
    for (const message of due) {
      const admitted = admit(pair, message, nowMs)
      if (typeof admitted === 'number') putOff(message, admitted)
      else if (admitted === 'next') next = message
    }
    while (next) {
      const refusedMs = refusals.length > 0 && sent.length % 7 === 3 ? refusals.shift() : undefined
      if (refusedMs !== undefined) {
        const heldBack = holdBack(pair, next.id, nowMs + refusedMs)
        for (const message of [next, ...heldBack]) putOff(message, nowMs + refusedMs)
        break
      }
      sent.push({ id: next.id, atMs: nowMs })
      next = takeNextWaiting(pair)
    }
    if (isIdle(pair, nowMs)) pair = newPair()
  }
  return sent
}

test('a recipient gets every message once, in order: at most 45 immediately and then one every six seconds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 150 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
      (gaps, refusals) => {
        let atMs = 0
        const arrivals = gaps.map((gap) => {
          // Mostly bursts, now and then a pause.
          atMs += gap < 350 ? 0 : gap * SECOND
          return atMs
        })
        const sent = play(
          arrivals,
          refusals.map((seconds) => seconds * SECOND),
        )
        expect(sent.map((message) => message.id)).toEqual(arrivals.map((_, i) => String(i).padStart(5, '0')))
        for (const [i, message] of sent.entries()) {
          const since = sent[i + 1 - 46]
          // The operator's own bucket: 45, refilled by one every six seconds.
          for (let count = 46; count <= i + 1; count++) {
            const first = sent[i + 1 - count]!
            expect(count).toBeLessThanOrEqual(45 + Math.floor((message.atMs - first.atMs) / (6 * SECOND)))
          }
          if (since) expect(message.atMs).toBeGreaterThan(since.atMs)
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('nothing is remembered of a recipient for long', () => {
  const pair = newPair()
  admit(pair, { workspaceId: '', conversationId: '', id: 'a', runAtMs: 0 }, 0)
  expect(isIdle(pair, 0)).toBe(false)
  takeNextWaiting(pair)
  expect(isIdle(pair, 7 * SECOND)).toBe(true)
})
