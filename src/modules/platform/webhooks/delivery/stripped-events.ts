/** Tracks which events may have been stripped of personal data after this process read them. */
import { type Clock, SECOND_MS } from '../../../../core/clock.ts'

export type StripWatch = {
  /** Records that events of a workspace were stripped, or that the workspace itself changed. */
  heard(workspaceId: string): void
  /** Sets whether the database's notifications reach this process now. */
  setListening(listening: boolean): void
  /** Returns whether events read at a (monotonic) time may have been stripped since. */
  mayBeStale(workspaceId: string, readAtMs: number): boolean
}

const MAX_WORKSPACES = 10_000
/** Without notifications, data that was read is valid for this long, as in the directory of workspaces. */
const FRESH_WITHOUT_NEWS_MS = SECOND_MS

export function watchStrips(clock: Clock): StripWatch {
  const heardAtMs = new Map<string, number>()
  let isListening = false
  /** Nothing is known about reads before this time. */
  let unknownBeforeMs = Number.NEGATIVE_INFINITY
  return {
    heard: (workspaceId) => {
      heardAtMs.delete(workspaceId)
      heardAtMs.set(workspaceId, clock.monotonicMs())
      if (heardAtMs.size <= MAX_WORKSPACES) return
      const [first, atMs] = heardAtMs.entries().next().value!
      heardAtMs.delete(first)
      unknownBeforeMs = Math.max(unknownBeforeMs, atMs)
    },
    setListening: (now) => {
      isListening = now
      unknownBeforeMs = clock.monotonicMs()
    },
    mayBeStale: (workspaceId, readAtMs) =>
      readAtMs < unknownBeforeMs ||
      readAtMs < (heardAtMs.get(workspaceId) ?? Number.NEGATIVE_INFINITY) ||
      (!isListening && clock.monotonicMs() - readAtMs >= FRESH_WITHOUT_NEWS_MS),
  }
}
