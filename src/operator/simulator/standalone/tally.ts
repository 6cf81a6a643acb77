import type { TakenMessage } from '../behavior.ts'

/** The outcomes of the calls with the same callback data. */
export type Count = { accepted: number; refused: number; chanmids: string[] }

/** An accepted message. */
export type RecordedMessage = {
  id: string
  number: string
  to: string
  callbackData: string | null
  type: string
  content: unknown
  at: Date
}

/** Counts the calls, to show whether a message was accepted once, twice, or never. */
export type Tally = {
  called(name: string): void
  accepted(message: TakenMessage, time: Date): void
  refused(callbackData: string): void
  of(callbackData: string): Count
  /** `repeated` lists the callback data that was accepted more than once. */
  summary(): { calls: Record<string, number>; accepted: number; distinct: number; repeated: string[] }
  /** Returns the accepted messages, oldest first; the last 10,000. */
  messages(): RecordedMessage[]
  clear(): void
}

// Limits for a simulator that runs for days; the oldest counts are dropped first.
const maxCounted = 1_000_000
const maxKept = 10_000
const maxCallNames = 1000

export function createTally(): Tally {
  const calls = new Map<string, number>()
  const counts = new Map<string, Count>()
  const repeated = new Set<string>()
  let messages: RecordedMessage[] = []
  let accepted = 0

  function countOf(callbackData: string): Count {
    const existing = counts.get(callbackData)
    if (existing) return existing
    const count = { accepted: 0, refused: 0, chanmids: [] }
    counts.set(callbackData, count)
    if (counts.size > maxCounted) counts.delete(counts.keys().next().value as string)
    return count
  }

  return {
    called(name) {
      if (calls.has(name) || calls.size < maxCallNames) calls.set(name, (calls.get(name) ?? 0) + 1)
    },
    accepted({ number, recipient, chanmid, callbackData, type, content }, time) {
      accepted++
      messages.push({
        id: chanmid,
        number: number.operatorId,
        to: recipient.input,
        callbackData: callbackData ?? null,
        type,
        content,
        at: time,
      })
      if (messages.length >= 2 * maxKept) messages = messages.slice(-maxKept)
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
    messages: () => messages.slice(-maxKept),
    clear() {
      calls.clear()
      counts.clear()
      repeated.clear()
      messages = []
      accepted = 0
    },
  }
}
