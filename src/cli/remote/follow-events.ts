/**
 * Follows the event log of a server, the oldest first, missing none. Ids are made when an event
 * happens and seen when its transaction commits, so a later one may be seen first: what is younger
 * than a minute is looked at again and again, and what was seen of it is remembered.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { later, MINUTE_MS, SECOND_MS, systemClock } from '../../core/clock.ts'
import { idAt, timeOfId } from '../../core/ids.ts'
import { type Api, NoAnswer } from './api.ts'

export type LoggedEvent = { id: string; event: string; createdAt: string; data: Record<string, unknown> }

/** How far a consumer has come. Everything up to `settled` is done, and what is in `seen` beyond it. */
export type Place = { settled: string; seen: Set<string> }

/** Longer than any transaction may take. */
const UNSETTLED_MS = MINUTE_MS
const LOOK_BACK_EVERY_MS = 15 * SECOND_MS
const POLL_MS = SECOND_MS
const SAVE_EVERY_MS = SECOND_MS
const LONGEST_PAUSE_MS = 30 * SECOND_MS

/** The place behind the newest event that there is now. */
export async function newestPlace(api: Api): Promise<Place> {
  const { body, serverTime } = await api.get('/events?limit=1')
  return { settled: body.events[0]?.id ?? idAt(later(serverTime, -SECOND_MS)), seen: new Set() }
}

/** The place before everything that the log holds. */
export const oldestPlace = (): Place => ({ settled: idAt(new Date(0)), seen: new Set() })

export type Following = {
  api: Api
  place: Place
  /** Takes an event; it counts as done when this resolves. */
  handle(event: LoggedEvent): Promise<void>
  /** Keeps the place; called between events, at most about once a second, and at the end. */
  save(place: Place): void
  say(line: string): void
  stopped: AbortSignal
}

/** Follows until `stopped`. Rejects when the server refuses the key; waits while it gives no answer. */
export async function followEvents(following: Following): Promise<void> {
  const { place, save, say, stopped } = following
  let lookedBackMs = Number.NEGATIVE_INFINITY
  let pauseMs = SECOND_MS
  try {
    while (!stopped.aborted) {
      const nowMs = systemClock.monotonicMs()
      const back = nowMs - lookedBackMs >= LOOK_BACK_EVERY_MS
      try {
        await readFrom(following, back)
        if (back) lookedBackMs = nowMs
        pauseMs = SECOND_MS
        await wait(POLL_MS, undefined, { signal: stopped })
      } catch (fault) {
        if (!(fault instanceof NoAnswer) || stopped.aborted) throw fault
        say(`${fault.message} Trying again.`)
        await wait(fault.retryAfterMs ?? pauseMs, undefined, { signal: stopped })
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
      }
    }
  } catch (fault) {
    if (!stopped.aborted) throw fault
  } finally {
    save(place)
  }
}

/** Takes what was not seen behind the newest event, or looking back, behind what is settled. */
async function readFrom({ api, place, handle, save, stopped }: Following, back: boolean): Promise<void> {
  let cursor: string | null = back ? place.settled : newestOf(place)
  let began: Date | undefined
  let savedMs = systemClock.monotonicMs()
  while (cursor !== null) {
    const { body, serverTime } = await api.get(`/events?limit=100&after=${cursor}`, stopped)
    began ??= serverTime
    for (const event of body.events as LoggedEvent[]) {
      if (place.seen.has(event.id)) continue
      await handle(event)
      place.seen.add(event.id)
      if (systemClock.monotonicMs() - savedMs < SAVE_EVERY_MS) continue
      save(place)
      savedMs = systemClock.monotonicMs()
    }
    // By the page, so that a long way back is not held in memory.
    if (back) settle(place, later(began, -UNSETTLED_MS))
    cursor = body.nextCursor
  }
  save(place)
}

function newestOf(place: Place): string {
  let newest = place.settled
  for (const id of place.seen) if (id > newest) newest = id
  return newest
}

/** Nothing can appear any more before what happened by `horizon`. */
function settle(place: Place, horizon: Date): void {
  for (const id of place.seen) if (timeOfId(id) <= horizon && id > place.settled) place.settled = id
  for (const id of place.seen) if (id <= place.settled) place.seen.delete(id)
}
