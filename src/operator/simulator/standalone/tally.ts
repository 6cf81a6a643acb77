import type { TakenMessage } from '../director.ts'

/** What became of the calls that carried one callback data. */
export type Count = { accepted: number; refused: number; chanmids: string[] }

/** A message that was taken. */
export type Kept = {
  id: string
  number: string
  to: string
  callbackData: string | null
  type: string
  content: unknown
  at: Date
}

/** Counts what reached the simulator: whether a message was taken once, twice or never. */
export type Tally = {
  called(name: string): void
  accepted(message: TakenMessage, at: Date): void
  refused(callbackData: string): void
  of(callbackData: string): Count
  /** `repeated` are the callback data that were accepted more than once. */
  summary(): { calls: Record<string, number>; accepted: number; distinct: number; repeated: string[] }
  /** The messages taken, oldest first; the last 10,000. */
  messages(): Kept[]
  clear(): void
}

// Bounds for a simulator that runs for days; counts of the oldest are forgotten first.
const maxCounted = 1_000_000
const maxKept = 10_000
const maxCallNames = 1000

export function createTally(): Tally {
  const calls = new Map<string, number>()
  const counts = new Map<string, Count>()
  const repeated = new Set<string>()
  let kept: Kept[] = []
  let accepted = 0

  function countOf(callbackData: string): Count {
    const known = counts.get(callbackData)
    if (known) return known
    const count = { accepted: 0, refused: 0, chanmids: [] }
    counts.set(callbackData, count)
    if (counts.size > maxCounted) counts.delete(counts.keys().next().value as string)
    return count
  }

  return {
    called(name) {
      if (calls.has(name) || calls.size < maxCallNames) calls.set(name, (calls.get(name) ?? 0) + 1)
    },
    accepted({ number, recipient, chanmid, callbackData, type, content }, at) {
      accepted++
      kept.push({
        id: chanmid,
        number: number.operatorId,
        to: recipient.input,
        callbackData: callbackData ?? null,
        type,
        content,
        at,
      })
      if (kept.length >= 2 * maxKept) kept = kept.slice(-maxKept)
      if (callbackData === undefined) return
      const count = countOf(callbackData)
      count.accepted++
      count.chanmids.push(chanmid)
      if (count.accepted > 1) repeated.add(callbackData)
    },
    refused(callbackData) {
      countOf(callbackData).refused++
    },
    of: (callbackData) => counts.get(callbackData) ?? { accepted: 0, refused: 0, chanmids: [] },
    summary: () => ({
      calls: Object.fromEntries(calls),
      accepted,
      distinct: [...counts.values()].filter((count) => count.accepted > 0).length,
      repeated: [...repeated],
    }),
    messages: () => kept.slice(-maxKept),
    clear() {
      calls.clear()
      counts.clear()
      repeated.clear()
      kept = []
      accepted = 0
    },
  }
}
