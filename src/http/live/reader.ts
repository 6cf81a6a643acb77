/**
 * Follows the log of one workspace for its listeners in this process (docs/decisions/dashboard-pages.md). Events
 * after a transaction that is still open aren't settled, because earlier ones may still appear. They are sent
 * ahead, but the position to resume from moves only past settled events.
 */
import type { Clock } from '../../core/clock.ts'
import { type Changed, type Frame, mergeChanged } from './frame.ts'

export type Place = { writtenIn: string; id: string }
export type LogEvent = Place & { settled: boolean; touched: Changed }

/** The event log, as streams read it. */
export type LiveLog = {
  /** Returns the current end of the log. */
  end(workspaceId: string): Promise<Place>
  placeOf(workspaceId: string, id: string): Promise<Place | undefined>
  /** Returns at most `limit` events after a position, in the order of transactions. */
  read(workspaceId: string, position: Place, limit: number): Promise<LogEvent[]>
}

export type LiveTimes = {
  /** Time between reads when nothing wakes the reader. */
  pollMs: number
  /** Minimum time between frames. */
  frameMs: number
  /** Minimum time between frames while there are many events. */
  busyFrameMs: number
}
export const LIVE_TIMES: LiveTimes = { pollMs: 250, frameMs: 150, busyFrameMs: 1_000 }

/** Maximum of events in one read, and of missed events that a resumed stream gets. */
export const MAX_EVENTS = 5_000
/** With this many events in one read, frames are sent less often. */
const BUSY_EVENTS = 100

export type Reader = {
  /** Resolves when the reader follows the log; later events are sent. */
  following: Promise<void>
  /** Call when something was committed in the workspace. */
  wake(): void
  stop(): void
}

type Options = {
  log: LiveLog
  workspaceId: string
  clock: Pick<Clock, 'monotonicMs'>
  times: LiveTimes
  send(frame: Frame): void
  onError(error: unknown): void
}

export function startReader({ log, workspaceId, clock, times, send, onError }: Options): Reader {
  let position: Place | undefined
  /** Events that were sent before they were settled. */
  let unsettledIds = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let dueMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  let frameMs = times.frameMs
  let isReading = false
  let isWoken = false
  let isStopped = false
  const following = Promise.withResolvers<void>()

  const scheduleRead = (atMs: number): void => {
    if (isStopped || isReading || atMs >= dueMs) return
    clearTimeout(timer)
    dueMs = atMs
    timer = setTimeout(readBatch, Math.max(0, atMs - clock.monotonicMs()))
  }

  const step = async (): Promise<void> => {
    if (!position) {
      position = await log.end(workspaceId)
      following.resolve()
    }
    const events = await log.read(workspaceId, position, MAX_EVENTS)
    const fresh = events.filter((event) => !unsettledIds.has(event.id))
    const settled = events.findLast((event) => event.settled)
    unsettledIds = new Set(events.filter((event) => !event.settled).map((event) => event.id))
    if (settled) position = { writtenIn: settled.writtenIn, id: settled.id }
    frameMs = fresh.length >= BUSY_EVENTS ? times.busyFrameMs : times.frameMs
    // One long transaction keeps too many events unsettled: newer ones can't be read, so the page must reset.
    if (!settled && events.length === MAX_EVENTS) send({ changed: {}, reset: true })
    // Events sent ahead may be settled now: the position moves, even without new events.
    else if (fresh.length > 0 || settled)
      send({ id: settled?.id, changed: mergeChanged(fresh.map(({ touched }) => touched)) })
  }

  const readBatch = async (): Promise<void> => {
    dueMs = Number.POSITIVE_INFINITY
    isReading = true
    isWoken = false
    lastMs = clock.monotonicMs()
    try {
      await step()
    } catch (error) {
      onError(error)
      frameMs = times.busyFrameMs
    }
    isReading = false
    scheduleRead(lastMs + (isWoken ? frameMs : Math.max(times.pollMs, frameMs)))
  }

  scheduleRead(clock.monotonicMs())
  return {
    following: following.promise,
    wake: () => {
      isWoken = true
      scheduleRead(lastMs + frameMs)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
