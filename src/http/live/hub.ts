/** The live streams of this process, with one log reader for each workspace that has a listener. */
import { type Clock, DAY_MS, later, SECOND_MS } from '../../core/clock.ts'
import { isUuid7, timeOfId } from '../../core/ids.ts'
import { type Frame, mergeChanged } from './frame.ts'
import type { Listener } from './listener.ts'
import { openPresence, type PresenceReport } from './presence.ts'
import { LIVE_TIMES, type LiveLog, type LiveTimes, MAX_EVENTS, type Reader, startReader } from './reader.ts'

export type LiveHub = {
  /** Call when these events were committed. */
  wake(events: Iterable<{ workspaceId: string }>): void
  /**
   * Adds a listener to a workspace. It first gets the changes after event `after`, or a reset if there are
   * too many or the event isn't in the log. Returns the function that removes the listener.
   */
  join(workspaceId: string, listener: Listener, after?: string): () => void
  /** Call when a member reports a presence, in this process or another. */
  hearPresence(report: PresenceReport): void
  close(): void
}

/** The time for which the log keeps events (spec 6.1). */
const LOG_MS = 7 * DAY_MS
const PING_MS = 20 * SECOND_MS
const STUCK_LOOK_MS = SECOND_MS

type Options = {
  log: LiveLog
  clock: Clock
  times?: Partial<LiveTimes> | undefined
  onError(error: unknown): void
}

type FollowedWorkspace = { reader: Reader; listeners: Set<Listener> }

/** Returns the first frame of a stream. */
async function firstFrame(
  { log, clock }: Options,
  workspaceId: string,
  after: string | undefined,
): Promise<Frame> {
  const end = async (): Promise<string> => (await log.end(workspaceId)).id
  const reset = async (): Promise<Frame> => ({ id: await end(), changed: {}, reset: true })
  if (after === undefined) return { id: await end(), changed: {} }
  if (!isUuid7(after)) return reset()
  const place = await log.placeOf(workspaceId, after)
  if (!place || (timeOfId(after).getTime() > 0 && timeOfId(after) < later(clock.now(), -LOG_MS)))
    return reset()
  const events = await log.read(workspaceId, place, MAX_EVENTS + 1)
  if (events.length > MAX_EVENTS) return reset()
  return {
    id: events.findLast((event) => event.settled)?.id ?? after,
    changed: mergeChanged(events.map(({ touched }) => touched)),
  }
}

export function openLiveHub(options: Options): LiveHub {
  const { log, clock, onError } = options
  const times = { ...LIVE_TIMES, ...options.times }
  const followed = new Map<string, FollowedWorkspace>()
  let closed = false

  const send = (workspaceId: string, frame: Frame): void => {
    for (const listener of followed.get(workspaceId)?.listeners ?? []) listener.send(frame)
  }
  const presence = openPresence({ clock, send })
  const follow = (workspaceId: string): FollowedWorkspace => {
    const existing = followed.get(workspaceId)
    if (existing) return existing
    const created: FollowedWorkspace = {
      listeners: new Set(),
      reader: startReader({
        log,
        workspaceId,
        clock,
        times,
        send: (frame) => send(workspaceId, frame),
        onError,
      }),
    }
    followed.set(workspaceId, created)
    return created
  }
  const allListeners = (): Listener[] => [...followed.values()].flatMap(({ listeners }) => [...listeners])
  const timers = [
    setInterval(() => {
      for (const listener of allListeners()) listener.ping()
    }, PING_MS),
    setInterval(() => {
      for (const listener of allListeners()) if (listener.isStuck()) listener.end({ reset: true })
    }, STUCK_LOOK_MS),
  ]
  for (const timer of timers) timer.unref()

  return {
    hearPresence: presence.hear,
    wake: (events) => {
      if (followed.size === 0) return
      for (const { workspaceId } of events) followed.get(workspaceId)?.reader.wake()
    },
    join: (workspaceId, listener, after) => {
      if (closed) listener.end()
      if (closed) return () => {}
      const { listeners, reader } = follow(workspaceId)
      listeners.add(listener)
      // The missed changes are read after the reader has started, so that no change is lost between them.
      reader.following
        .then(() => firstFrame(options, workspaceId, after))
        .then((first) => listener.begin({ ...first, ...presence.all(workspaceId) }))
        .catch((error: unknown) => {
          onError(error)
          listener.end()
        })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || followed.get(workspaceId)?.listeners !== listeners) return
        reader.stop()
        followed.delete(workspaceId)
      }
    },
    close: () => {
      closed = true
      for (const timer of timers) clearInterval(timer)
      presence.close()
      for (const listener of allListeners()) listener.end()
      for (const { reader } of followed.values()) reader.stop()
      followed.clear()
    },
  }
}
