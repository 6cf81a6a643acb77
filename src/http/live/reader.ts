/**
 * Follows the log of one workspace for all who listen to it in this process (docs/decisions/dashboard-pages.md). Events of
 * transactions that are not the oldest any more may still be joined by others before them: they are sent ahead and
 * remembered until they are settled, and the place to go on from moves with what is settled alone.
 */
import type { Clock } from '../../core/clock.ts'
import { type Changed, type Frame, mergeChanged } from './frame.ts'

export type Place = { writtenIn: string; id: string }
export type LogEvent = Place & { settled: boolean; touched: Changed }

/** The log as streams read it. */
export type LiveLog = {
  /** Where it ends for now. */
  end(workspaceId: string): Promise<Place>
  placeOf(workspaceId: string, id: string): Promise<Place | undefined>
  /** What came behind a place, at most `limit`, in the order of transactions. */
  read(workspaceId: string, behind: Place, limit: number): Promise<LogEvent[]>
}

export type LiveTimes = {
  /** Between looks when nothing wakes the reader. */
  pollMs: number
  /** Between frames. */
  frameMs: number
  /** The same while much happens. */
  busyFrameMs: number
}
export const LIVE_TIMES: LiveTimes = { pollMs: 250, frameMs: 150, busyFrameMs: 1_000 }

/** Events that one look reads, and that are made up for at most when a stream resumes. */
export const MAX_EVENTS = 5_000
/** From so many events in one look on frames come less often. */
const BUSY_EVENTS = 100

export type Reader = {
  /** Resolves once it follows the log: what happens from then on is sent. */
  following: Promise<void>
  /** Something was committed in the workspace. */
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
  let behind: Place | undefined
  /** What was sent before it was settled. */
  let ahead = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let dueMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  let frameMs = times.frameMs
  let looking = false
  let woken = false
  let stopped = false
  const following = Promise.withResolvers<void>()

  const lookAt = (atMs: number): void => {
    if (stopped || looking || atMs >= dueMs) return
    clearTimeout(timer)
    dueMs = atMs
    timer = setTimeout(look, Math.max(0, atMs - clock.monotonicMs()))
  }

  const step = async (): Promise<void> => {
    if (!behind) {
      behind = await log.end(workspaceId)
      following.resolve()
    }
    const events = await log.read(workspaceId, behind, MAX_EVENTS)
    const fresh = events.filter((event) => !ahead.has(event.id))
    const settled = events.findLast((event) => event.settled)
    ahead = new Set(events.filter((event) => !event.settled).map((event) => event.id))
    if (settled) behind = { writtenIn: settled.writtenIn, id: settled.id }
    frameMs = fresh.length >= BUSY_EVENTS ? times.busyFrameMs : times.frameMs
    // Behind so many that wait for one long transaction nothing is seen.
    if (!settled && events.length === MAX_EVENTS) send({ changed: {}, reset: true })
    // What was sent ahead may be settled by now: the place to go on from moves, although nothing is new.
    else if (fresh.length > 0 || settled)
      send({ id: settled?.id, changed: mergeChanged(fresh.map(({ touched }) => touched)) })
  }

  const look = async (): Promise<void> => {
    dueMs = Number.POSITIVE_INFINITY
    looking = true
    woken = false
    lastMs = clock.monotonicMs()
    try {
      await step()
    } catch (error) {
      onError(error)
      frameMs = times.busyFrameMs
    }
    looking = false
    lookAt(lastMs + (woken ? frameMs : Math.max(times.pollMs, frameMs)))
  }

  lookAt(clock.monotonicMs())
  return {
    following: following.promise,
    wake: () => {
      woken = true
      lookAt(lastMs + frameMs)
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
